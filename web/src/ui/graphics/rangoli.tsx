// The half sun of the label, drawn as a rangoli: an ornament.

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

/** The chilli with a drop of rasa in it: the brand's mark. */
export function BrandMark({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="0 0 100 100" className={className} aria-hidden="true" focusable="false">
      <path
        className="fill-[var(--mark-body)]"
        d="M58 24C76 24 88 38 86 56C84 78 62 94 36 93C24 92.5 14 88 9 80C22 84 33 80 38 71C43 62 36 52 36 43C36 32 46 24 58 24Z"
      />
      <path
        className="fill-[var(--mark-drop)]"
        d="M63 43C70 51 75 57 74 64.5C73 72 67 76.5 60 76C53 75.5 49 70 50 63.5C51 56 58 51 63 43Z"
      />
      <path
        className="fill-[var(--mark-leaf)]"
        d="M40 33C43 22 52 17 61 18C70 18.5 78 23 82 31C76 29 72 32 69 35C66 30 60 30 57 35C53 30 46 29 40 33ZM58 20C57 14 59 8 65 4L70 8C65 11 64 15 65 20Z"
      />
    </svg>
  );
}
