// The text of a reply that is being written. It is stored in the tab until it is sent, so it survives a reload and
// opening another message.
import { useState } from 'react';

const keyOf = (messageId: string) => `reply-draft:${messageId}`;

/** For a component that is mounted for each message anew. */
export function useReplyDraft(messageId: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => read(messageId));
  const change = (next: string) => {
    setText(next);
    write(messageId, next);
  };
  return [text, change];
}

function read(messageId: string): string {
  try {
    return sessionStorage.getItem(keyOf(messageId)) ?? '';
  } catch {
    return '';
  }
}

function write(messageId: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(keyOf(messageId), text);
    else sessionStorage.removeItem(keyOf(messageId));
  } catch {
    // Storage may be full or disabled; the text is still in the field.
  }
}
