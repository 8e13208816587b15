// The footer: about the shop, links, and the legal details.
import type { ReactNode } from 'react';
import { useShop } from '~/api/queries/shop';
import { Link } from '~/lib/router/router';
import { Icon } from '~/ui/graphics/more-icons';
import { RangoliSun } from '~/ui/graphics/rangoli';
import { Brand } from './brand';
import { SocialLinks } from './social-links';

const company = [
  { to: '/about-us', label: 'About Us' },
  { to: '/contact-us', label: 'Contact Us' },
  { to: '/sub-products', label: 'Products' },
  { to: '/wishlist', label: 'Wishlist' },
];
const policies = [
  { to: '/cancellation-policy', label: 'Cancellation & Refund' },
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/shipping-policy', label: 'Shipping & Delivery' },
  { to: '/terms-and-conditions', label: 'Terms and Conditions' },
];

export function Footer() {
  const shop = useShop();
  return (
    <footer className="on-dark scallop-top relative mt-24 bg-kokum text-on-kokum">
      <RangoliSun className="pointer-events-none absolute right-0 bottom-0 w-[min(34rem,80vw)] text-on-kokum opacity-[0.06]" />
      <div className="page-width relative grid gap-12 py-16 sm:grid-cols-2 lg:grid-cols-[1.5fr_1fr_1fr_1.4fr]">
        <div>
          <Brand />
          <p className="mt-4 max-w-xs text-lg text-on-kokum-soft">{shop.tagline}</p>
          <SocialLinks className="mt-6 -ml-2.5" />
        </div>
        <LinkColumn title="Company" links={company} />
        <LinkColumn title="Policies" links={policies} />
        <div>
          <Heading>Talk to us</Heading>
          <ul className="mt-3 space-y-1 text-on-kokum-soft">
            <li>
              <a
                className="inline-flex min-h-11 max-w-full items-center gap-2.5 [overflow-wrap:anywhere] hover:text-on-kokum"
                href={`tel:${shop.supportPhone.replace(/\s/g, '')}`}
              >
                <Icon name="phone" className="size-5 shrink-0" />
                {shop.supportPhone}
              </a>
            </li>
            <li>
              <a
                className="inline-flex min-h-11 max-w-full items-center gap-2.5 [overflow-wrap:anywhere] hover:text-on-kokum"
                href={`mailto:${shop.supportEmail}`}
              >
                <Icon name="mail" className="size-5 shrink-0" />
                {shop.supportEmail}
              </a>
            </li>
            <li className="flex gap-2.5 py-2">
              <Icon name="pin" className="mt-0.5 size-5 shrink-0" />
              <span>{shop.address}</span>
            </li>
          </ul>
        </div>
      </div>
      <div className="relative border-t border-on-kokum/15">
        <div className="page-width flex flex-wrap justify-between gap-x-10 gap-y-2 py-6 text-sm text-on-kokum-soft">
          <p>
            {shop.legalName} · FSSAI Lic. No. {shop.fssai}
          </p>
          <p>
            Grievance officer: {shop.grievanceOfficer.name},{' '}
            <a className="link" href={`mailto:${shop.grievanceOfficer.email}`}>
              {shop.grievanceOfficer.email}
            </a>
          </p>
        </div>
      </div>
    </footer>
  );
}

function LinkColumn({ title, links }: { title: string; links: { to: string; label: string }[] }) {
  return (
    <nav aria-label={title}>
      <Heading>{title}</Heading>
      <ul className="mt-3">
        {links.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              className="inline-flex min-h-11 items-center text-on-kokum-soft transition hover:text-on-kokum"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Heading({ children }: { children: ReactNode }) {
  return <h2 className="eyebrow font-sans text-turmeric">{children}</h2>;
}
