// Home: from the first hungry second to the shelf.
import { useShop } from '~/api/shop';
import { FlavorsOfTheWorld, TopCategories } from '~/features/home/collection-carousels';
import { Hero } from '~/features/home/hero';
import { Testimonials } from '~/features/home/testimonials';
import { Trending } from '~/features/home/trending';
import { WhatsAppLink } from '~/features/home/whatsapp-link';
import { WhyChooseUs } from '~/features/home/why-choose-us';

export default function HomePage() {
  const { name, tagline } = useShop();
  return (
    <>
      <h1 className="sr-only">
        {name}: {tagline}
      </h1>
      <Hero />
      <div className="scallop-top relative space-y-20 bg-paper pt-16 sm:space-y-28 sm:pt-20">
        <WhyChooseUs />
        <TopCategories />
        <Trending />
        <FlavorsOfTheWorld />
        <Testimonials />
      </div>
      <WhatsAppLink />
    </>
  );
}
