// The link to a WhatsApp chat, in the corner of home. It gives way to text and controls: the footer has the same link.
import { useEffect, useRef } from 'react';
import { useShop } from '~/api/queries/shop';
import { Icon } from '~/ui/graphics/icons';

export function WhatsAppLink() {
  const { whatsapp } = useShop();
  const ref = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    void import('./keep-clear').then(({ keepClear }) => {
      if (ref.current && !isOver) stop = keepClear(ref.current);
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, []);
  if (!whatsapp) return null;
  return (
    <a
      ref={ref}
      href={whatsapp}
      target="_blank"
      rel="noopener noreferrer"
      aria-label="Chat with us on WhatsApp"
      className="fixed right-4 bottom-[calc(1rem+var(--notice-height,0px))] z-20 grid size-14 place-items-center rounded-full bg-cardamom-fill text-on-cardamom shadow-lift transition duration-200 hover:scale-105 not-focus-visible:data-away:pointer-events-none not-focus-visible:data-away:scale-75 not-focus-visible:data-away:opacity-0 sm:right-6 sm:bottom-[calc(1.5rem+var(--notice-height,0px))]"
    >
      <Icon name="whatsapp" className="size-7" />
    </a>
  );
}
