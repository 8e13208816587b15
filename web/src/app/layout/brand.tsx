// The shop's logo: the mark, and the name in the font of the label.
import { useShop } from '~/api/queries/shop';
import { BrandMark } from '~/ui/graphics/rangoli';

export function Brand({ className = '' }: { className?: string }) {
  const { name } = useShop();
  return (
    <span className={`inline-flex items-center gap-1.5 ${className}`}>
      <BrandMark className="size-10" />
      <span className="font-display text-[2rem] leading-none">{name}</span>
    </span>
  );
}
