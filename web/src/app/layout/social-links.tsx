// Links to the shop's social media pages.

import type { ReactNode } from 'react';
import { useShop } from '~/api/queries/shop';
import { IconFrame } from '~/ui/graphics/icons';

const shapes = {
  instagram: (
    <>
      <rect x="4" y="4" width="16" height="16" rx="4.500" />
      <circle cx="12" cy="12" r="3.600" />
      <path d="M16.500 7.400v.1" />
    </>
  ),
  facebook: (
    <path d="M14.500 8H17V4.500h-2.500C12.200 4.500 11 6 11 8v2.500H8.500V14H11v6.500h3.500V14H17l.5-3.500h-3V8.800c0-.500.200-.8.700-.8z" />
  ),
  youtube: (
    <>
      <rect x="3" y="6" width="18" height="12.500" rx="3.500" />
      <path d="m10.500 9.800 4.500 2.500-4.500 2.500z" />
    </>
  ),
  x: <path d="M5 4.500 19 19.500M18.500 4.500 5.500 19.500" />,
} satisfies Record<string, ReactNode>;

const networks: { key: keyof typeof shapes; label: string }[] = [
  { key: 'instagram', label: 'Instagram' },
  { key: 'facebook', label: 'Facebook' },
  { key: 'youtube', label: 'YouTube' },
  { key: 'x', label: 'X' },
];

export function SocialLinks({ className = '' }: { className?: string }) {
  const { social, name } = useShop();
  return (
    <ul className={`flex flex-wrap ${className}`}>
      {networks
        .filter(({ key }) => social[key])
        .map(({ key, label }) => (
          <li key={key}>
            <a
              href={social[key]}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={`${name} on ${label}`}
              className="grid size-11 place-items-center rounded-full transition hover:bg-current/10"
            >
              <IconFrame>{shapes[key]}</IconFrame>
            </a>
          </li>
        ))}
    </ul>
  );
}
