// The text of a reply that is being written. It is stored in the tab until it is sent, so it survives a reload and
// opening another message.

const keyOf = (messageId: string) => `reply-draft:${messageId}`;

export function readReplyDraft(messageId: string): string {
  try {
    return sessionStorage.getItem(keyOf(messageId)) ?? '';
  } catch {
    return '';
  }
}

export function writeReplyDraft(messageId: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(keyOf(messageId), text);
    else sessionStorage.removeItem(keyOf(messageId));
  } catch {
    // Storage may be full or disabled; the text is still in the field.
  }
}
