// A row of cards with arrows, for several cards a view. The arrows stop at the ends.
import type { CSSProperties, ReactNode } from 'react';
import { IconButton } from './button';
import { Icon } from './icons';
import { useCardRow } from './use-card-row';

type View = { perView: number; gap: number };

type Props = {
  id: string;
  title: ReactNode;
  label: string;
  /** From a width of 0, 640 and 1024 px. */
  views: { base: View; sm: View; lg: View };
  children: ReactNode[];
  action?: ReactNode;
};

export function CardCarousel({ id, title, label, views, children, action }: Props) {
  const { base, sm, lg } = views;
  const { ref, atStart, atEnd, previous, next, onKeyDown } = useCardRow();
  const widths = {
    '--n': base.perView,
    '--gap': `${base.gap}px`,
    '--n-sm': sm.perView,
    '--gap-sm': `${sm.gap}px`,
    '--n-lg': lg.perView,
    '--gap-lg': `${lg.gap}px`,
  } as CSSProperties;

  return (
    <section id={id} aria-label={label} aria-roledescription="carousel" onKeyDown={onKeyDown}>
      <div className="mb-7 flex items-end justify-between gap-4">
        <div>{title}</div>
        <div className="flex shrink-0 items-center gap-2">
          {action}
          <div className="flex gap-2 max-lg:hidden">
            <IconButton
              label={`Previous: ${label}`}
              disabled={atStart}
              onClick={previous}
              className="border-2 border-current"
            >
              <Icon name="left" />
            </IconButton>
            <IconButton label={`Next: ${label}`} disabled={atEnd} onClick={next} className="border-2 border-current">
              <Icon name="right" />
            </IconButton>
          </div>
        </div>
      </div>
      <div ref={ref} className="carousel-row" style={widths}>
        <ul className="carousel-cards">{children}</ul>
      </div>
    </section>
  );
}

export function CarouselCard({ children }: { children: ReactNode }) {
  return <li className="carousel-slide">{children}</li>;
}
