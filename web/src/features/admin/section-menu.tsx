// The last button of the phone's bar. It opens a sheet with all sections; where the current section is not in the bar, the
// button has its name.
import { useId, useState } from 'react';
import { Sheet } from '~/ui/dialog';
import { Icon } from '~/ui/icons';
import { Link, useLocation } from '~/ui/router';
import { SectionBadge } from './section-badge';
import type { SectionCount } from './section-counts';
import { AdminIcon } from './shared/admin-icon';
import { adminPath, SECTION_GROUPS, type Section, sectionTitles } from './shared/url-state';

/** What is done on a phone every day. */
export const BAR_SECTIONS: readonly Section[] = ['products', 'orders', 'problems', 'messages'];

type Props = {
  section: Section;
  counts: Partial<Record<Section, SectionCount>>;
  className: string;
  badgeClass: string;
};

export function SectionMenu({ section, counts, className, badgeClass }: Props) {
  const { pathname, search } = useLocation();
  const here = pathname + search;
  // A navigation closes the sheet, also one that was confirmed in a dialog.
  const [openAt, setOpenAt] = useState('');
  const id = useId();
  const close = () => setOpenAt('');
  const isInBar = BAR_SECTIONS.includes(section);
  const elsewhere = (Object.keys(counts) as Section[]).filter((each) => !BAR_SECTIONS.includes(each));
  const count = elsewhere.reduce((sum, each) => sum + (counts[each]?.count ?? 0), 0);
  return (
    <div className="md:hidden">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={openAt === here}
        aria-label={isInBar ? 'All sections' : `All sections, current: ${sectionTitles[section]}`}
        data-current={!isInBar || undefined}
        onClick={() => setOpenAt(here)}
        className={`${className} relative w-full data-current:bg-chilli-wash data-current:text-chilli`}
      >
        {isInBar ? <Icon name="menu" className="size-5.5" /> : <AdminIcon name={section} className="size-5.5" />}
        <span className="flex items-center gap-0.5">
          {isInBar ? 'More' : sectionTitles[section]}
          {!isInBar && <Icon name="down" className="size-3 rotate-180" />}
        </span>
        <SectionBadge waiting={{ count, label: 'waiting in other sections' }} className={badgeClass} />
      </button>
      <Sheet side="bottom" open={openAt === here} onClose={close} title="Sections">
        <nav aria-label="All sections" className="flex flex-col gap-4">
          {SECTION_GROUPS.map(({ title, sections }, index) => (
            <div key={title}>
              <h3 id={`${id}-${index}`} className="px-1 pb-1.5 text-sm font-bold text-ink-soft">
                {title}
              </h3>
              <ul aria-labelledby={`${id}-${index}`} className="grid grid-cols-2 gap-2">
                {sections.map((each) => (
                  <li key={each}>
                    <Link
                      to={adminPath(each)}
                      onClick={close}
                      aria-current={each === section ? 'page' : undefined}
                      data-autofocus={each === section || undefined}
                      className="flex min-h-12 items-center gap-2.5 rounded-md bg-raised px-3 font-semibold transition aria-[current=page]:bg-chilli-wash aria-[current=page]:text-chilli"
                    >
                      <AdminIcon name={each} className="size-5.5 shrink-0" />
                      {sectionTitles[each]}
                      <SectionBadge waiting={counts[each]} className="ml-auto" />
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </Sheet>
    </div>
  );
}
