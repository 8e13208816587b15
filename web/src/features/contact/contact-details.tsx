// Where the shop is and how to reach it, with a map.
import { type ReactNode, useState } from 'react';
import { useShop } from '~/api/queries/shop';
import { unbroken } from '~/lib/unbroken';
import { Icon, type IconName } from '~/ui/graphics/more-icons';

/** Half the width and height of the map's view, in degrees: the streets around the shop. */
const AROUND = { latitude: 0.006, longitude: 0.011 };

export function ContactDetails({ social }: { social: ReactNode }) {
  const shop = useShop();
  return (
    <div className="space-y-3">
      <Line icon="phone" title="Call us">
        <a className="link" href={`tel:${shop.supportPhone.replace(/\s/g, '')}`}>
          {unbroken(shop.supportPhone)}
        </a>
      </Line>
      <Line icon="mail" title="Write to us">
        <a className="link" href={`mailto:${shop.supportEmail}`}>
          {shop.supportEmail}
        </a>
      </Line>
      <Line icon="pin" title="Visit us">
        {shop.legalName}, {shop.address}
      </Line>
      <Line icon="alert" title="Grievance officer">
        {shop.grievanceOfficer.name},{' '}
        <a className="link" href={`mailto:${shop.grievanceOfficer.email}`}>
          {shop.grievanceOfficer.email}
        </a>
        , {unbroken(shop.grievanceOfficer.phone)}. We acknowledge complaints within 48 hours and solve them within a
        month.
      </Line>
      <div className="pt-2">
        <h2 className="text-xl">Follow us</h2>
        <div className="mt-1 -ml-2.5">{social}</div>
      </div>
    </div>
  );
}

function Line({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <div className="flex gap-4 py-2">
      <span className="grid size-11 shrink-0 place-items-center rounded-full bg-turmeric-wash text-chilli">
        <Icon name={icon} className="size-5" />
      </span>
      <div className="min-w-0">
        <h2 className="text-xl">{title}</h2>
        <p className="mt-0.5 leading-relaxed text-ink-soft [overflow-wrap:anywhere]">{children}</p>
      </div>
    </div>
  );
}

export function ShopMap() {
  const { map } = useShop();
  const box = [
    map.longitude - AROUND.longitude,
    map.latitude - AROUND.latitude,
    map.longitude + AROUND.longitude,
    map.latitude + AROUND.latitude,
  ].map((degrees) => degrees.toFixed(5));
  const source = `https://www.openstreetmap.org/export/embed.html?bbox=${box.join('%2C')}&layer=mapnik&marker=${map.latitude}%2C${map.longitude}`;
  const link = `https://www.openstreetmap.org/?mlat=${map.latitude}&mlon=${map.longitude}#map=17/${map.latitude}/${map.longitude}`;
  const [isLoaded, setLoaded] = useState(false);
  return (
    <figure>
      <div className="relative grid h-96 place-items-center overflow-hidden rounded-lg border border-line bg-paper-deep">
        {/* Until the map is there, and where it cannot be loaded. */}
        {!isLoaded && (
          <a className="link p-4 text-center font-semibold" href={link} target="_blank" rel="noopener noreferrer">
            See {map.label} on the map
          </a>
        )}
        <iframe
          title={`Map: ${map.label}`}
          src={source}
          loading="lazy"
          referrerPolicy="strict-origin-when-cross-origin"
          onLoad={() => setLoaded(navigator.onLine)}
          className={`absolute inset-0 size-full ${isLoaded ? '' : 'invisible'}`}
        />
      </div>
      <figcaption className="mt-2 text-sm text-ink-soft">
        {map.label}.{' '}
        <a className="link inline-flex min-h-11 items-center" href={link} target="_blank" rel="noopener noreferrer">
          Open the larger map
        </a>
      </figcaption>
    </figure>
  );
}
