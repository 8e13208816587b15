// The About us page.
import type { ReactNode } from 'react';
import { useShop } from '~/api/queries/shop';
import { siteImage } from '~/shared/product/images/image-url';
import { ResponsiveImage } from '~/shared/product/images/responsive-image';
import { ButtonLink } from '~/ui/button';
import { RangoliSun } from '~/ui/graphics/rangoli';

const commitments = [
  { figure: '24', text: 'blends, each from its own recipe, none from a base powder with a new label' },
  { figure: '0', text: 'fillers, colours or preservatives: if it is not a spice, it is on the label for a reason' },
  { figure: '3-5', text: 'days from our door to yours, anywhere in India' },
];

export function AboutView() {
  const shop = useShop();
  return (
    <>
      <section className="scallop-bottom relative bg-kokum text-on-kokum">
        <div className="buta opacity-[0.06]" />
        <div className="page-width relative grid items-center gap-10 py-16 sm:py-24 lg:grid-cols-[1.1fr_1fr]">
          <div>
            <p lang="mr" className="devanagari text-3xl text-turmeric">
              आमची गोष्ट
            </p>
            <h1 className="mt-1 text-hero">About Us</h1>
            <p className="mt-5 max-w-xl text-xl leading-relaxed text-on-kokum-soft">
              {shop.name} is two words: mirch, the chilli that makes you sit up, and rasa, the juice, the taste, the
              feeling that stays. We look for both in every pouch.
            </p>
          </div>
          <ResponsiveImage
            source={siteImage('tile-maharashtrian.webp', '', 600, 600, '#8a3a1a')}
            sizes="(min-width: 1024px) 26rem, 80vw"
            widths={[320, 480, 640, 960]}
            className="arch mx-auto aspect-[5/6] w-full max-w-[26rem] object-cover"
          />
        </div>
      </section>
      <div className="page-width max-w-5xl space-y-20 py-20 sm:space-y-28 sm:py-28">
        <Chapter title="Our story">
          <p>
            It began with a kadhai the size of a cartwheel, in a lane behind Tulshibaug, where the women of one house
            roasted goda masala for the whole neighbourhood each April. People brought their own steel dabbas. When they
            moved to other cities they sent the dabbas by train.
          </p>
          <p>
            The dabbas became pouches, the lane became a small, clean roasting floor in Bhosari. The order of the spices
            in the kadhai has not changed: coriander first, stone flower last, and nobody talks during the sesame.
          </p>
        </Chapter>
        <Chapter title="Our philosophy">
          <p>
            A masala is a recipe, not a colour. Each spice has its own heat and its own minute, so each is roasted alone
            before they meet. We grind slowly, in small batches, because a hot mill takes away the very thing you pay
            for.
          </p>
          <p>
            And we travel. Falafel, tacos, laksa, garlic bread: we learned them from people who cook them daily, then
            asked what an Indian kitchen has at hand, and wrote the recipe on the pouch.
          </p>
        </Chapter>
        <section>
          <h2 className="text-center text-title">Our commitment</h2>
          <ul className="mt-10 grid gap-8 sm:grid-cols-3">
            {commitments.map(({ figure, text }) => (
              <li key={figure} className="rounded-lg bg-paper-deep px-6 py-8 text-center">
                <p className="font-display text-6xl text-chilli">{figure}</p>
                <p className="mt-3 leading-relaxed">{text}</p>
              </li>
            ))}
          </ul>
        </section>
        <section className="flex flex-col items-center text-center">
          <RangoliSun className="w-40 text-turmeric" />
          <h2 className="mt-6 text-title">Come and smell it</h2>
          <p className="mt-4 max-w-xl text-lg leading-relaxed text-ink-soft">
            {shop.address}. Call{' '}
            <a className="link" href={`tel:${shop.supportPhone.replace(/\s/g, '')}`}>
              {shop.supportPhone}
            </a>{' '}
            or write to{' '}
            <a className="link" href={`mailto:${shop.supportEmail}`}>
              {shop.supportEmail}
            </a>
            .
          </p>
          <div className="mt-7 flex flex-wrap justify-center gap-3">
            <ButtonLink to="/sub-products" size="lg">
              See the masalas
            </ButtonLink>
            <ButtonLink to="/contact-us" variant="secondary" size="lg">
              Contact Us
            </ButtonLink>
          </div>
        </section>
      </div>
    </>
  );
}

function Chapter({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-6 md:grid-cols-[16rem_1fr] md:gap-14">
      <h2 className="text-title">{title}</h2>
      <div className="space-y-5 text-lg leading-relaxed">{children}</div>
    </section>
  );
}
