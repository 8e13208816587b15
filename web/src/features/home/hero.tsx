// The hero: nine slides that cross-fade, wait on hover and focus, and can be stopped.
import { useState } from 'react';
import { Link } from '~/lib/router/router';
import { srcSet } from '~/shared/product/images/image-url';
import { buttonClass } from '~/ui/button';
import { useSlides } from '~/ui/carousel/use-slides';
import { Icon } from '~/ui/graphics/icons';
import { HERO_PHONE_WIDTHS, HERO_WIDE_WIDTHS, type HeroSlide, heroImages, heroSlides } from './hero-slides';

const TIMING = { firstMs: 7000, everyMs: 7000 };
/** Over the slide's colour, so that its text has AA contrast on every picture. */
const SHADE = 'rgb(0 0 0 / 0.35)';

export function Hero() {
  const { ref, index, playing, togglePlay, goTo, frame } = useSlides(heroSlides.length, TIMING);
  const seen = useSeen(index);

  return (
    <section aria-label="Our masalas" aria-roledescription="carousel" className="relative bg-kokum" {...frame}>
      <div ref={ref} className="carousel carousel-fade">
        {heroSlides.map((slide, at) => (
          <Slide key={slide.theme} slide={slide} at={at} active={at === index} pictured={seen.has(at)} />
        ))}
      </div>
      <div className="absolute inset-x-0 bottom-6 z-10 flex items-center px-4 md:bottom-9 md:justify-center">
        <div className="flex flex-wrap items-center rounded-xl bg-scrim px-1.5 backdrop-blur-sm">
          <button
            type="button"
            onClick={togglePlay}
            aria-label={playing ? 'Pause the slides' : 'Play the slides'}
            className="grid size-11 place-items-center text-on-kokum md:size-9"
          >
            <Icon name={playing ? 'pause' : 'play'} className="size-4" />
          </button>
          {heroSlides.map((slide, at) => (
            <button
              key={slide.theme}
              type="button"
              onClick={() => goTo(at)}
              aria-label={`Slide ${at + 1}: ${slide.heading}`}
              aria-current={at === index ? 'true' : undefined}
              className="group grid h-11 w-6 place-items-center md:h-9 md:w-7"
            >
              <span className="h-1.5 w-2.5 rounded-full bg-on-kokum/55 transition-all duration-300 group-hover:bg-on-kokum group-aria-[current=true]:w-6 group-aria-[current=true]:bg-turmeric" />
            </button>
          ))}
        </div>
      </div>
    </section>
  );
}

type SlideProps = { slide: HeroSlide; at: number; active: boolean; pictured: boolean };

function Slide({ slide, at, active, pictured }: SlideProps) {
  const right = slide.align === 'right';
  return (
    <div
      role="group"
      aria-roledescription="slide"
      aria-label={`${at + 1} of ${heroSlides.length}`}
      inert={!active}
      data-active={active || undefined}
      className="carousel-slide w-full"
      style={{ background: `linear-gradient(${SHADE}, ${SHADE}), ${slide.colour}` }}
    >
      <div className="relative aspect-[4/5] max-h-[68svh] w-full md:absolute md:max-h-none md:inset-0 md:aspect-auto">
        {pictured && <HeroPicture slide={slide} first={at === 0} />}
        <div
          className="absolute inset-0 md:hidden"
          style={{
            background: `linear-gradient(to top, ${SHADE}, transparent 62%), linear-gradient(to top, ${slide.colour} 18%, ${slide.colour}c0 36%, transparent 62%)`,
          }}
        />
        <div
          className="absolute inset-0 max-md:hidden"
          style={{
            background: `linear-gradient(to ${right ? 'left' : 'right'}, ${SHADE} 44%, transparent 61%), linear-gradient(to ${right ? 'left' : 'right'}, ${slide.colour} 8%, ${slide.colour}f0 28%, ${slide.colour}c4 44%, transparent 61%)`,
          }}
        />
      </div>
      <div className="page-width relative z-[1] flex md:h-[clamp(33rem,46vw,47rem)] md:items-center">
        <div className={`-mt-40 min-w-0 pb-24 text-on-kokum md:mt-0 md:w-[46%] md:pb-10 ${right ? 'md:ml-auto' : ''}`}>
          <p
            lang="mr"
            className={`devanagari max-md:devanagari-small text-2xl text-turmeric md:text-3xl ${at > 0 ? 'devanagari-deferred' : ''}`}
          >
            <span>{slide.devanagari}</span>
          </p>
          <h2 className="mt-1 text-hero">{slide.heading}</h2>
          <p className="mt-4 max-w-lg text-lg text-on-kokum/90 md:text-xl">{slide.subheading}</p>
          <Link
            to={`/product/${slide.product}`}
            className={buttonClass('accent', 'lg', 'mt-7 max-w-full !whitespace-normal')}
          >
            {slide.button}
          </Link>
        </div>
      </div>
    </div>
  );
}

function HeroPicture({ slide, first }: { slide: HeroSlide; first: boolean }) {
  const { wide, phone } = heroImages(slide);
  return (
    <picture>
      <source
        media="(min-width: 768px)"
        srcSet={srcSet(wide, HERO_WIDE_WIDTHS)}
        sizes="100vw"
        width={1600}
        height={750}
      />
      <img
        src={phone.url(640)}
        srcSet={srcSet(phone, HERO_PHONE_WIDTHS)}
        sizes="100vw"
        width={600}
        height={750}
        alt=""
        fetchPriority={first ? 'high' : 'low'}
        decoding="async"
        draggable={false}
        className="absolute inset-0 h-full w-full object-cover"
      />
    </picture>
  );
}

/** Only the slides that were shown and the next one load their image: nine at once would slow the first load down. */
function useSeen(index: number): Set<number> {
  const [seen, setSeen] = useState(() => new Set([0]));
  const needed = index === 0 && seen.size === 1 ? [0] : [index, (index + 1) % heroSlides.length];
  if (needed.some((at) => !seen.has(at))) setSeen(new Set([...seen, ...needed]));
  return seen;
}
