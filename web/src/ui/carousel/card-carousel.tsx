// A row of cards with several cards a view. From 1024 px it has arrows, which stop at the ends and are left out where all cards fit; below it has a dot for
// each view, so that a phone shows that there is more.
import type { CSSProperties, ReactNode } from 'react';
import { IconButton } from '../button';
import { Icon } from '../graphics/icons';
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
  const { ref, index, atStart, atEnd, previous, next, goTo, onKeyDown } = useCardRow();
  const dots = { label, count: children.length, index, atEnd, goTo };
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
          {children.length > lg.perView && (
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
          )}
        </div>
      </div>
      <div ref={ref} className="carousel-row" style={widths}>
        <ul className="carousel-cards">{children}</ul>
      </div>
      {/* Both are rendered, because the server does not know the width. */}
      <Dots {...dots} perView={base.perView} className="sm:hidden" />
      <Dots {...dots} perView={sm.perView} className="max-sm:hidden lg:hidden" />
    </section>
  );
}

type DotsProps = {
  label: string;
  count: number;
  perView: number;
  index: number;
  atEnd: boolean;
  goTo: (index: number) => void;
  className: string;
};

function Dots({ label, count, perView, index, atEnd, goTo, className }: DotsProps) {
  const views = Math.ceil(count / perView);
  if (views < 2) return null;
  const current = atEnd ? views - 1 : Math.floor(index / perView);
  return (
    <div className={`mt-2 flex justify-center ${className}`}>
      {Array.from({ length: views }, (_, at) => (
        <button
          key={at}
          type="button"
          aria-label={`${label}: ${at + 1} of ${views}`}
          aria-current={at === current ? 'true' : undefined}
          onClick={() => goTo(at * perView)}
          className="group grid h-11 w-9 place-items-center"
        >
          <span className="h-2 w-2 rounded-full bg-current opacity-40 transition-all group-aria-[current=true]:w-6 group-aria-[current=true]:opacity-100" />
        </button>
      ))}
    </div>
  );
}

export function CarouselCard({ children }: { children: ReactNode }) {
  return <li className="carousel-slide">{children}</li>;
}
