// The link to a WhatsApp chat, in the corner of home.
import { useShop } from '~/api/shop';
import { Icon } from '~/ui/icons';

export function WhatsAppLink() {
  const { whatsapp } = useShop();
  if (!whatsapp) return null;
  return (
    <a
      href={whatsapp}
      target="_blank"
      rel="noopener noreferrer"
      aria-label="Chat with us on WhatsApp"
      className="fixed right-4 bottom-4 z-20 grid size-14 place-items-center rounded-full bg-cardamom-fill text-on-cardamom shadow-lift transition duration-200 hover:scale-105 sm:right-6 sm:bottom-6"
    >
      <Icon name="whatsapp" className="size-7" />
    </a>
  );
}
