// The mark that Indian law requires on food: a green dot for vegetarian, a brown triangle for non-vegetarian. The law
// also sets its colours.

export function VegMark({ diet, className = 'size-5' }: { diet: 'veg' | 'non-veg'; className?: string }) {
  const isVeg = diet === 'veg';
  const colour = isVeg ? '#0b7a2a' : '#7a3b14';
  return (
    <svg viewBox="0 0 20 20" className={className} role="img" aria-label={isVeg ? 'Vegetarian' : 'Non-vegetarian'}>
      <rect x="1" y="1" width="18" height="18" rx="2" fill="#fff" stroke={colour} strokeWidth="2" />
      {isVeg ? <circle cx="10" cy="10" r="4.600" fill={colour} /> : <path d="M10 5 15 14.500H5z" fill={colour} />}
    </svg>
  );
}
