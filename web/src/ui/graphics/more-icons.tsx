// All line icons of the shop. Those that the first load does not need are drawn here.
import type { ReactNode } from 'react';
import { firstShapes, IconFrame, type IconProps } from './icons';

const shapes = {
  ...firstShapes,
  heart: <path d="M12 20s-7.8-4.6-7.8-10.3A4.3 4.3 0 0 1 12 7.2a4.3 4.3 0 0 1 7.8 2.5C19.800 15.400 12 20 12 20z" />,
  down: <path d="m5.500 9.500 6.500 6.500 6.500-6.500" />,
  plus: <path d="M12 5.500v13M5.500 12h13" />,
  minus: <path d="M5.500 12h13" />,
  zoom: (
    <>
      <circle cx="11" cy="11" r="6.5" />
      <path d="m16 16 4.500 4.500M11 8.500v5M8.500 11h5" />
    </>
  ),
  truck: (
    <>
      <path d="M3 6.500h11v10H3zM14 10h4l3 3.200v3.300h-7z" />
      <circle cx="7.500" cy="17.500" r="1.800" />
      <circle cx="17" cy="17.500" r="1.800" />
    </>
  ),
  pin: (
    <>
      <path d="M12 21s-6.500-6-6.500-11a6.500 6.500 0 0 1 13 0c0 5-6.500 11-6.500 11z" />
      <circle cx="12" cy="10" r="2.300" />
    </>
  ),
  phone: (
    <path d="M6 4h3l1.500 4-2 1.500a11 11 0 0 0 6 6l1.500-2 4 1.500v3a2 2 0 0 1-2.200 2A16 16 0 0 1 4 6.200 2 2 0 0 1 6 4z" />
  ),
  mail: (
    <>
      <rect x="3.500" y="5.500" width="17" height="13" rx="2" />
      <path d="m4 7 8 6 8-6" />
    </>
  ),
  clock: <path d="M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 3.500V12l3 2" />,
  check: <path d="m5 12.500 4.500 4.500L19 7.500" />,
  filter: <path d="M4 7h16M7 12h10M10 17h4" />,
  trash: <path d="M5 7h14M10 7V4.500h4V7M7 7l.8 12.500h8.400L17 7M10.300 10.500v6M13.700 10.500v6" />,
  leaf: <path d="M5 19C5 10 11 5 20 4.500 20 13 15 19.500 7 18M5 20.500c1.500-5 4.500-8.500 9-10.500" />,
  jar: (
    <>
      <path d="M7.500 7.500h9v11a2 2 0 0 1-2 2h-5a2 2 0 0 1-2-2zM6.500 4h11v3.500h-11z" />
      <path d="M7.500 12h9" />
    </>
  ),
  shield: (
    <>
      <path d="M12 3.500 19 6v5.500c0 4.500-3 7.500-7 9-4-1.500-7-4.500-7-9V6z" />
      <path d="m9 12 2.200 2.200L15.200 10" />
    </>
  ),
  mortar: (
    <>
      <path d="M4.500 11h15c0 4-2 6.500-4.500 7.500V20.500H9v-2C6.500 17.500 4.500 15 4.500 11z" />
      <path d="m13 11 5.500-7.500" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

export function Icon({ name, ...props }: IconProps & { name: IconName }) {
  return <IconFrame {...props}>{shapes[name]}</IconFrame>;
}
