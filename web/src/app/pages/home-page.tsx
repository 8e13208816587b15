// Home: from the first hungry second to the shelf.
import { useShop } from '~/api/shop';
import { FlavorsOfTheWorld, TopCategories } from '~/features/home/collection-carousels';
import { Hero } from '~/features/home/hero';
import { Testimonials } from '~/features/home/testimonials';
import { Trending } from '~/features/home/trending';
import { WhatsAppLink } from '~/features/home/whatsapp-link';
import { WhyChooseUs } from '~/features/home/why-choose-us';
import { Part } from '~/ui/part';

export default function HomePage() {
  const { name, tagline } = useShop();
  return (
    <>
      <h1 className="sr-only">
        {name}: {tagline}
      </h1>
      <Part>
        <Hero />
      </Part>
      <div className="scallop-top relative space-y-20 bg-paper pt-16 sm:space-y-28 sm:pt-20">
        <Part>
          <WhyChooseUs />
        </Part>
        <Part>
          <TopCategories />
        </Part>
        <Part>
          <Trending />
        </Part>
        <Part>
          <FlavorsOfTheWorld />
        </Part>
        <Part>
          <Testimonials />
        </Part>
      </div>
      <WhatsAppLink />
    </>
  );
}
