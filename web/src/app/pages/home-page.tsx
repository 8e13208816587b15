// Home.
import { useShop } from '~/api/queries/shop';
import { HomeTrending } from '~/app/pages/home-trending-lazy';
import { FlavorsOfTheWorld, Testimonials, TopCategories, WhyChooseUs } from '~/features/home/below-fold-lazy';
import { Hero } from '~/features/home/hero';
import { WhatsAppLink } from '~/features/home/whatsapp-link';
import { HydrationIsland } from '~/lib/hydration/hydration-island';

export default function HomePage() {
  const { name, tagline } = useShop();
  return (
    <>
      <h1 className="sr-only">
        {name}: {tagline}
      </h1>
      <HydrationIsland>
        <Hero />
      </HydrationIsland>
      <div className="scallop-top relative space-y-20 bg-paper pt-16 sm:space-y-28 sm:pt-20">
        <HydrationIsland>
          <WhyChooseUs />
        </HydrationIsland>
        <HydrationIsland>
          <TopCategories />
        </HydrationIsland>
        <HydrationIsland>
          <HomeTrending />
        </HydrationIsland>
        <HydrationIsland>
          <FlavorsOfTheWorld />
        </HydrationIsland>
        <HydrationIsland>
          <Testimonials />
        </HydrationIsland>
      </div>
      <WhatsAppLink />
    </>
  );
}
