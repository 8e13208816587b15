// Checks of the profile and address forms before a request is sent. The rules are those of crates/domain; where the two
// differ, the server decides.

/** Control characters and invisible bidirectional marks. */
const UNPRINTABLE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

export function checkText(label: string, text: string, maxChars: number): string {
  const trimmed = text.trim();
  if (UNPRINTABLE.test(trimmed)) return `${label} contains characters that cannot be used`;
  if ([...trimmed].length > maxChars) return `${label} must be at most ${maxChars} characters`;
  return '';
}

export function checkRequired(label: string, text: string, maxChars: number): string {
  return checkText(label, text, maxChars) || (text.trim() ? '' : `${label} is required`);
}

/** Ten digits, optionally after +91 or 0, optionally with spaces or dashes. */
export function checkPhone(label: string, text: string): string {
  if (!text.trim()) return `${label} is required`;
  const bad = `${label} must be a 10-digit phone number`;
  if (/[^\d\s\-+()]/.test(text)) return bad;
  const digits = text.replace(/\D/g, '');
  const subscriber =
    digits.length === 10 ? digits : /^(0\d{10}|91\d{10})$/.test(digits) ? digits.slice(-10) : undefined;
  return subscriber && !subscriber.startsWith('0') ? '' : bad;
}

export function checkPincode(label: string, text: string): string {
  if (!text.trim()) return `${label} is required`;
  return /^[1-9]\d{5}$/.test(text.trim()) ? '' : `${label} must be 6 digits`;
}

/** '+919876543210' → '+91 98765 43210'. */
export function formatPhone(phone: string): string {
  return phone.replace(/^\+91(\d{5})(\d{5})$/, '+91 $1 $2');
}
