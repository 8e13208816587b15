// The times that a step of a recipe says, for its timers.

export type Duration = { seconds: number; text: string };

/** Longer ones are for the calendar: 'Soak for 18 hours'. */
const MAX_TIMER_SECONDS = 3 * 3600;
const SECONDS: Record<string, number> = { second: 1, minute: 60, hour: 3600 };
const TIME = /(\d+)?(½)?(?: to \d+½?)? (second|minute|hour)s?\b/g;

/** Each of them once. Of 'for 6 to 8 minutes' the shorter one: that is when the cook looks. */
export function durationsOf(step: string): Duration[] {
  const found = new Map<number, Duration>();
  for (const [, whole, half, unit = ''] of step.matchAll(TIME)) {
    const count = Number(whole ?? 0) + (half ? 0.5 : 0);
    const seconds = count * (SECONDS[unit] ?? 0);
    if (seconds === 0 || seconds > MAX_TIMER_SECONDS) continue;
    found.set(seconds, { seconds, text: `${whole ?? ''}${half ?? ''} ${unit}${count > 1 ? 's' : ''}` });
  }
  return [...found.values()];
}

/** '9:05', '1:30:00' */
export function clockText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
