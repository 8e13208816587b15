// A price as the shop writes it, and its parts: amount, what it buys, tax.
import { rupees } from './format';

export function Price({ value, className = '' }: { value: number | null | undefined; className?: string }) {
  return (
    <span className={`tabular-nums ${className}`}>{value === null || value === undefined ? 'N/A' : rupees(value)}</span>
  );
}
