// Four reasons, each in an expandable card.
import { useState } from 'react';
import { Dialog } from '~/ui/dialog/dialog';
import { Icon, type IconName } from '~/ui/graphics/more-icons';
import { SectionTitle } from '~/ui/section-title';

type Reason = { title: string; short: string; text: string; icon: IconName; colour: string };

const reasons: Reason[] = [
  {
    title: '100% Pure Ingredients',
    short: 'Only the finest raw spices',
    text: 'We buy the finest raw spices and nothing to stretch them: no fillers, no substitutes. What the label lists is what the stone ground.',
    icon: 'leaf',
    colour: 'bg-cardamom-fill text-on-cardamom',
  },
  {
    title: 'No Preservative',
    short: '100% natural',
    text: '100% natural, with no chemicals of any kind. Dry roasting and a good seal keep a masala fresh; nothing else is needed.',
    icon: 'jar',
    colour: 'bg-chilli-fill text-on-chilli',
  },
  {
    title: 'Hygienic Packaging',
    short: 'Clean, food-grade pouches',
    text: 'Filled in a clean room into food-grade materials that keep light, air and damp out, so that the freshness of the first day is still there when you cut the pouch open.',
    icon: 'shield',
    colour: 'bg-turmeric text-on-turmeric',
  },
  {
    title: 'Traditional Blend',
    short: 'Time-tested recipes',
    text: 'Time-tested recipes, blended by experts who learned them at home: each spice roasted on its own, for its own time, before they meet.',
    icon: 'mortar',
    colour: 'bg-kokum-arch text-on-kokum',
  },
];

export function WhyChooseUs() {
  const [shown, setShown] = useState<Reason | null>(null);
  const [open, setOpen] = useState(false);
  return (
    <section aria-labelledby="why" className="page-width">
      <div id="why" className="mb-8 text-center">
        <SectionTitle devanagari="का निवडावे?" title="Why Choose Us" />
      </div>
      <ul className="mx-auto grid max-w-5xl grid-cols-2 gap-x-4 gap-y-8 sm:gap-x-8 lg:grid-cols-4">
        {reasons.map((reason) => (
          <li key={reason.title}>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => {
                setShown(reason);
                setOpen(true);
              }}
              className="group flex w-full flex-col items-center rounded-lg text-center"
            >
              <span
                className={`arch grid aspect-[5/6] w-full max-w-44 place-items-center transition duration-300 ease-out group-hover:-translate-y-1.5 ${reason.colour}`}
              >
                <Icon name={reason.icon} className="mt-[14%] size-[42%] stroke-[1.1]" />
              </span>
              <span className="mt-4 max-w-full font-display text-xl leading-tight sm:text-2xl">{reason.title}</span>
              <span className="mt-1 max-w-full text-ink-soft">{reason.short}</span>
            </button>
          </li>
        ))}
      </ul>
      <Dialog open={open} onClose={() => setOpen(false)} title={shown?.title ?? ''} centred>
        {shown && (
          <div className="flex flex-col items-center pt-5 text-center">
            <span className={`arch grid aspect-[5/6] w-32 place-items-center ${shown.colour}`}>
              <Icon name={shown.icon} className="mt-[14%] size-[42%] stroke-[1.1]" />
            </span>
            <p className="mt-5 text-lg leading-relaxed text-ink-soft">{shown.text}</p>
          </div>
        )}
      </Dialog>
    </section>
  );
}
