// Testimonials: a coverflow on a wide screen, one card at a time on a phone.
import type { CSSProperties } from 'react';
import { siteImage } from '~/shared/product/images/image-url';
import { ResponsiveImage } from '~/shared/product/images/responsive-image';
import { IconButton } from '~/ui/button';
import { offsetOf, useSlides } from '~/ui/carousel/use-slides';
import { Icon } from '~/ui/graphics/icons';
import { SectionTitle } from '~/ui/section-title';
import { type Testimonial, testimonials } from './testimonial-list';

const REST_MS = 2000;
const SLIDE_MS = 800;
/** Cards further away are hidden: they pass from one end to the other there. */
const MAX_OFFSET_SHOWN = 2;
const TIMING = { firstMs: REST_MS, everyMs: SLIDE_MS + REST_MS };

export function Testimonials() {
  const { ref, index, playing, togglePlay, previous, next, frame } = useSlides(testimonials.length, TIMING);

  return (
    <section aria-label="Testimonials" aria-roledescription="carousel" className="relative" {...frame}>
      <div className="page-width mb-8 flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <SectionTitle devanagari="लोक काय म्हणतात" title="Testimonials">
            From other kitchens to ours.
          </SectionTitle>
        </div>
        <div className="ml-auto flex gap-1">
          <IconButton label={playing ? 'Pause the testimonials' : 'Play the testimonials'} onClick={togglePlay}>
            <Icon name={playing ? 'pause' : 'play'} className="size-5" />
          </IconButton>
          <IconButton label="Previous testimonial" onClick={previous} className="max-sm:!hidden">
            <Icon name="left" />
          </IconButton>
          <IconButton label="Next testimonial" onClick={next} className="max-sm:!hidden">
            <Icon name="right" />
          </IconButton>
        </div>
      </div>
      <div className="overflow-x-clip max-lg:px-4 max-lg:md:px-8">
        <div ref={ref} role="group" aria-label="Testimonials" tabIndex={0} className="carousel">
          <ul className="carousel-coverflow py-4">
            {testimonials.map((testimonial, at) => {
              const offset = offsetOf(at, index, testimonials.length);
              return (
                <li
                  key={testimonial.name}
                  data-active={offset === 0 || undefined}
                  style={{ '--offset': offset } as CSSProperties}
                  className={`carousel-slide w-full lg:w-[27rem] ${Math.abs(offset) > MAX_OFFSET_SHOWN ? 'invisible opacity-0' : ''}`}
                >
                  <Quote testimonial={testimonial} at={at} />
                </li>
              );
            })}
          </ul>
        </div>
      </div>
    </section>
  );
}

function Quote({ testimonial, at }: { testimonial: Testimonial; at: number }) {
  const portrait = siteImage(`portrait-${at + 1}.webp`, '', 400, 400, '#c9a06a');
  return (
    <figure className="flex h-full flex-col rounded-lg border border-line bg-raised p-7 shadow-card sm:p-9">
      <span aria-hidden="true" className="font-display text-6xl leading-[0.6] text-turmeric">
        “
      </span>
      <blockquote className="mt-1 grow font-display text-[1.35rem] leading-snug">{testimonial.text}</blockquote>
      <figcaption className="mt-6 flex items-center gap-4">
        <ResponsiveImage
          source={portrait}
          sizes="56px"
          widths={[64, 160]}
          className="size-14 rounded-full object-cover"
        />
        <div>
          <p className="font-semibold">{testimonial.name}</p>
          <p className="text-sm text-ink-soft">{testimonial.company}</p>
          <Stars rating={testimonial.rating} />
        </div>
      </figcaption>
    </figure>
  );
}

/** A row of stars as one shape: a separate shape for each star was a tenth of the page's elements. */
const starRow = (from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, at) => `M${10 + 20 * (from + at)} 1.8l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z`,
  ).join('');

function Stars({ rating }: { rating: number }) {
  return (
    <svg
      role="img"
      aria-label={`${rating} of 5`}
      viewBox="0 0 100 20"
      className="mt-1 h-4 w-20 text-turmeric"
      fill="currentColor"
    >
      <path d={starRow(0, rating)} />
      {rating < 5 && <path d={starRow(rating, 5)} opacity="0.3" />}
    </svg>
  );
}
