// What went wrong or well, in a coloured box where it happened.
import type { ReactNode } from 'react';
import { Icon } from '../graphics/more-icons';

type Props = { children: ReactNode; className?: string };

/** What went wrong. Screen readers announce it when it appears. */
export function Alert({ children, className = '' }: Props) {
  return (
    <p role="alert" className={`rounded-md bg-chilli-wash px-4 py-3 font-semibold text-chilli ${className}`}>
      {children}
    </p>
  );
}

const banners = {
  error: { icon: 'alert', colour: 'bg-chilli-wash text-chilli' },
  success: { icon: 'check', colour: 'bg-cardamom-wash text-cardamom' },
} as const;

/** With an icon, and without a role: inside an element that is there before and announces what is put into it. */
export function Banner({ kind, children, className = '' }: Props & { kind: keyof typeof banners }) {
  const { icon, colour } = banners[kind];
  return (
    <p className={`flex items-center gap-2.5 rounded-md px-4 py-3 font-semibold ${colour} ${className}`}>
      <Icon name={icon} className="size-5 shrink-0" />
      {children}
    </p>
  );
}
