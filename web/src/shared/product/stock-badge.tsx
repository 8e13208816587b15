// 'Sold out', 'Only 3 left' or 'Only 150 g left', with colours that are readable on an image.
import { stockText } from './stock';

type Props = {
  packs: number;
  /** Where packs of both sizes are filled from them. */
  grams?: number | undefined;
  className?: string;
};

export function StockBadge({ packs, grams, className = '' }: Props) {
  const text = grams ? `Only ${grams} g left` : stockText(packs);
  if (!text) return null;
  const colour = packs > 0 ? 'bg-turmeric text-on-turmeric' : 'bg-ink text-paper';
  return <p className={`rounded-full px-2.5 py-0.5 text-sm font-bold ${colour} ${className}`}>{text}</p>;
}
