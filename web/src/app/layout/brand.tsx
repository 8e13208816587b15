// The shop's name as it stands on the pouch: sun, Latin, Devanagari.
import { useShop } from '~/api/shop';
import { BrandSun } from '~/ui/rangoli';

export function Brand({ className = '' }: { className?: string }) {
  const { name } = useShop();
  return (
    <span className={`inline-flex items-center gap-2 ${className}`}>
      <BrandSun className="size-8 text-turmeric" />
      <span className="font-display text-[1.7rem] leading-none font-bold tracking-tight">{name}</span>
      {name === 'Mirasa' && (
        <span
          lang="hi"
          aria-hidden="true"
          className="deva mb-1 self-end text-[0.95rem] leading-none opacity-80 max-sm:hidden"
        >
          मिरसा
        </span>
      )}
    </span>
  );
}
