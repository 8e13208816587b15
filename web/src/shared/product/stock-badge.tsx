// 'Sold out' or 'Only 3 left', with colours that are readable on an image.
import { stockText } from './stock';

export function StockBadge({ packs, className = '' }: { packs: number; className?: string }) {
  const text = stockText(packs);
  if (!text) return null;
  const colour = packs > 0 ? 'bg-turmeric text-on-turmeric' : 'bg-ink text-paper';
  return <p className={`rounded-full px-2.5 py-0.5 text-sm font-bold ${colour} ${className}`}>{text}</p>;
}
