// The layout of a policy page: title, a contents list that stays in view on a wide screen, numbered sections, and contact
// details.
import type { ReactNode } from 'react';
import { useShop } from '~/api/queries/shop';
import { PageTitle } from '~/ui/page-title';

export type PolicySection = { title: string; body: ReactNode };

type Props = { title: string; intro: string; updated: string; sections: PolicySection[] };

const anchor = (title: string) => title.toLowerCase().replace(/[^a-z]+/g, '-');

export function PolicyPage({ title, intro, updated, sections }: Props) {
  const shop = useShop();
  return (
    <div className="page-width">
      <PageTitle title={title}>{intro}</PageTitle>
      <div className="grid gap-12 lg:grid-cols-[16rem_1fr]">
        <nav aria-label="On this page" className="self-start max-lg:hidden lg:sticky lg:top-36">
          <p className="eyebrow text-ink-soft">On this page</p>
          <ol className="mt-3 border-l-2 border-line">
            {sections.map((section) => (
              <li key={section.title}>
                <a
                  href={`#${anchor(section.title)}`}
                  className="-ml-0.5 flex min-h-11 items-center border-l-2 border-transparent pl-4 text-ink-soft transition hover:border-chilli-fill hover:text-ink"
                >
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <article className="max-w-2xl">
          {sections.map((section) => (
            <section key={section.title} id={anchor(section.title)} className="mb-10 scroll-mt-36">
              <h2 className="text-heading">{section.title}</h2>
              <div className="mt-3 space-y-4 text-[1.0625rem] leading-relaxed [&_a]:link [&_li]:mt-2 [&_ul]:list-disc [&_ul]:pl-5 [&_ul]:marker:text-chilli">
                {section.body}
              </div>
            </section>
          ))}
          <section className="rounded-lg bg-paper-deep p-6 sm:p-8">
            <h2 className="text-heading">Questions?</h2>
            <p className="mt-3 leading-relaxed">
              Call{' '}
              <a className="link" href={`tel:${shop.supportPhone.replace(/\s/g, '')}`}>
                {shop.supportPhone}
              </a>{' '}
              or write to{' '}
              <a className="link" href={`mailto:${shop.supportEmail}`}>
                {shop.supportEmail}
              </a>
              .
            </p>
            <p className="mt-3 text-sm text-ink-soft">
              {shop.legalName}, {shop.address}. Last changed {updated}.
            </p>
          </section>
        </article>
      </div>
    </div>
  );
}
