// The shop's logo: the mark, and the name in the font of the label.
import { useShop } from '~/api/queries/shop';
import { BrandMark } from '~/ui/graphics/rangoli';

export function Brand({ className = '' }: { className?: string }) {
  const { name } = useShop();
  return (
    <span className={`inline-flex items-center gap-1.5 ${className}`}>
      <BrandMark className="size-[clamp(1.75rem,10.25vw,2.5rem)] shrink-0" />
      <span className="font-display text-[clamp(1.375rem,8.2vw,2rem)] leading-none">{name}</span>
    </span>
  );
}
