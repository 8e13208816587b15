// The line icons of the first load, drawn on one 24-unit grid, sized by the text around them. The others: more-icons.tsx.
import type { ReactNode } from 'react';

export const firstShapes = {
  search: (
    <>
      <circle cx="11" cy="11" r="6.5" />
      <path d="m16 16 4.5 4.5" />
    </>
  ),
  cart: (
    <>
      <path d="M6.5 8.5h11l1.3 10.2a1.6 1.6 0 0 1-1.6 1.8H6.8a1.6 1.6 0 0 1-1.6-1.8z" />
      <path d="M9 11V7a3 3 0 0 1 6 0v4" />
    </>
  ),
  user: (
    <>
      <circle cx="12" cy="8.2" r="3.7" />
      <path d="M4.8 20c.6-4 3.5-6 7.2-6s6.6 2 7.2 6" />
    </>
  ),
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  sun: (
    <>
      <circle cx="12" cy="12" r="3.8" />
      <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.700 5.700l1.400 1.400M16.900 16.900l1.400 1.400M18.300 5.700l-1.400 1.400M7.100 16.900l-1.400 1.400" />
    </>
  ),
  moon: <path d="M19.500 14.300A8 8 0 0 1 9.700 4.500a8 8 0 1 0 9.800 9.800z" />,
  left: <path d="m14.500 5.500-6.500 6.500 6.500 6.500" />,
  right: <path d="m9.500 5.500 6.500 6.500-6.500 6.500" />,
  pause: <path d="M9 6v12M15 6v12" />,
  play: <path d="M8 5.500v13l10.500-6.500z" />,
  alert: (
    <>
      <circle cx="12" cy="12" r="8.500" />
      <path d="M12 7.500v5.500M12 16.400v.1" />
    </>
  ),
  whatsapp: (
    <>
      <path d="m4 20 1.300-4A8.200 8.200 0 1 1 8.300 18.800z" />
      <path d="M9 8.600c-.500 2.600 3.300 6.500 6 6.200.900-.200 1.300-1.500.800-1.900l-1.500-.800-1 .9c-1.300-.500-2.300-1.500-2.800-2.800l.900-1-.700-1.400c-.300-.500-1.500-.200-1.700.800z" />
    </>
  ),
} satisfies Record<string, ReactNode>;

type IconName = keyof typeof firstShapes;

export type IconProps = { className?: string; filled?: boolean };

export function Icon({ name, ...props }: IconProps & { name: IconName }) {
  return <IconFrame {...props}>{firstShapes[name]}</IconFrame>;
}

/** The frame of an icon whose shape is drawn elsewhere. */
export function IconFrame({ className = 'size-6', filled, children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={className}
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}
