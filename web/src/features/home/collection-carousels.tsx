// Top Categories and Flavors of the World: tiles that lead to the filtered product list, from its top.

import { Link } from '~/lib/router/router';
import { siteImage } from '~/shared/product/images/image-url';
import { ResponsiveImage } from '~/shared/product/images/responsive-image';
import { CardCarousel, CarouselCard } from '~/ui/carousel/card-carousel';
import { SectionTitle } from '~/ui/section-title';
import { cuisines, type Tile, topCategories } from './collections';

const views = { base: { perView: 2, gap: 16 }, sm: { perView: 4, gap: 20 }, lg: { perView: 5, gap: 20 } };
const sizes = '(min-width: 1024px) 18vw, (min-width: 640px) 23vw, 46vw';
const widths = [160, 320, 480, 640] as const;

export function TopCategories() {
  return (
    <div className="page-width">
      <CardCarousel
        id="categories"
        label="Top Categories"
        views={views}
        title={<SectionTitle devanagari="आपली आवड" title="Top Categories" />}
      >
        {topCategories.map((tile) => (
          <CarouselCard key={tile.label}>
            <TileLink tile={tile} shape="arch aspect-[5/6]" tone="text-chilli" />
          </CarouselCard>
        ))}
      </CardCarousel>
    </div>
  );
}

export function FlavorsOfTheWorld() {
  return (
    <div className="scallop-top scallop-bottom relative bg-kokum py-18 text-on-kokum sm:py-24">
      <div className="buta opacity-[0.07]" />
      <div className="page-width relative">
        <CardCarousel
          id="cuisines"
          label="Flavors of the World"
          views={views}
          title={
            <SectionTitle devanagari="जगाची चव" title="Flavors of the World" tone="text-turmeric">
              Five kitchens far from ours, ground and blended in Pune.
            </SectionTitle>
          }
        >
          {cuisines.map((tile) => (
            <CarouselCard key={tile.label}>
              <TileLink
                tile={tile}
                shape="aspect-square rounded-full ring-4 ring-turmeric ring-offset-6 ring-offset-kokum m-2.5"
                tone="text-turmeric"
              />
            </CarouselCard>
          ))}
        </CardCarousel>
      </div>
    </div>
  );
}

function TileLink({ tile, shape, tone }: { tile: Tile; shape: string; tone: string }) {
  return (
    <Link
      to={`/sub-products?category=${encodeURIComponent(tile.label)}`}
      onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
      className="group block rounded-lg pb-1 text-center"
    >
      <span className={`block overflow-hidden ${shape}`}>
        <ResponsiveImage
          source={siteImage(tile.image, '', 600, 600, tile.colour)}
          sizes={sizes}
          widths={widths}
          className="h-full w-full object-cover transition duration-500 ease-out group-hover:scale-107"
        />
      </span>
      <span
        lang="hi"
        aria-hidden="true"
        className={`devanagari devanagari-small devanagari-deferred mt-3 block text-base ${tone}`}
      >
        <span>{tile.devanagari}</span>
      </span>
      <span className="font-display text-xl sm:text-[1.4rem]">{tile.label}</span>
    </Link>
  );
}
