// The half sun of the label: petals drawn in a rangoli, used where a page needs a warm, quiet ornament.

const PETALS = [-84, -63, -42, -21, 0, 21, 42, 63, 84];

export function RangoliSun({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="0 0 200 110" className={className} fill="currentColor" aria-hidden="true" focusable="false">
      <g transform="translate(100 106)">
        {PETALS.map((angle) => (
          <g key={angle} transform={`rotate(${angle})`}>
            <path d="M-7 -46C-9 -62 -5 -78 0 -90C5 -78 9 -62 7 -46Z" />
            <circle cy="-98" r="2.2" />
          </g>
        ))}
        {PETALS.slice(1, -1).map((angle) => (
          <path
            key={angle}
            transform={`rotate(${angle * 1.12})`}
            d="M-5 -22C-6 -30 -3 -37 0 -41C3 -37 6 -30 5 -22Z"
            opacity="0.65"
          />
        ))}
        <path d="M-16 0A16 16 0 0 1 16 0Z" />
      </g>
    </svg>
  );
}

/** The whole sun, for the brand mark. */
export function BrandSun({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="0 0 48 48" className={className} fill="currentColor" aria-hidden="true" focusable="false">
      <g transform="translate(24 24)">
        {Array.from({ length: 12 }, (_, index) => (
          <path
            key={index}
            transform={`rotate(${index * 30})`}
            d="M-2.800 -9.500C-3.800 -14 -2 -19 0 -22.500C2 -19 3.800 -14 2.800 -9.500Z"
          />
        ))}
        <circle r="6.800" />
      </g>
    </svg>
  );
}
