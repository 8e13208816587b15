// The last button of the phone's bar. It opens a sheet with all sections; where the current section is not in the bar, the
// button has its name and its count.
import { useId, useState } from 'react';
import { Link, useLocation } from '~/lib/router/router';
import { Sheet } from '~/ui/dialog/dialog';
import { Icon } from '~/ui/graphics/more-icons';
import { AdminIcon } from '../console/admin-icon';
import { adminPath, SECTION_GROUPS, type Section, sectionTitles } from '../console/url-state';
import { SectionBadge } from './section-badge';
import type { SectionCount } from './section-counts';

/** What is done on a phone every day. */
export const BAR_SECTIONS: readonly Section[] = ['products', 'orders', 'problems', 'messages'];

type Counts = Partial<Record<Section, SectionCount>>;

/** Whether the sheet is open. A navigation closes it, also one that was confirmed in a dialog. */
export function useSectionSheet() {
  const { pathname, search } = useLocation();
  const here = pathname + search;
  const [openAt, setOpenAt] = useState('');
  return { isOpen: openAt === here, open: () => setOpenAt(here), close: () => setOpenAt('') };
}

type ButtonProps = {
  section: Section;
  counts: Counts;
  isOpen: boolean;
  className: string;
  badgeClass: string;
  onOpen: () => void;
};

export function SectionMenuButton({ section, counts, isOpen, className, badgeClass, onOpen }: ButtonProps) {
  const isInBar = BAR_SECTIONS.includes(section);
  // The list of what is to do has what other sections count.
  const elsewhere = (Object.keys(counts) as Section[]).filter(
    (each) => each !== 'to-do' && !BAR_SECTIONS.includes(each),
  );
  const count = elsewhere.reduce((sum, each) => sum + (counts[each]?.count ?? 0), 0);
  const waiting = isInBar ? { count, label: 'waiting in other sections' } : counts[section];
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      data-current={!isInBar || undefined}
      onClick={onOpen}
      className={`${className} relative w-full data-current:bg-chilli-wash data-current:text-chilli md:hidden`}
    >
      {isInBar ? <Icon name="menu" className="size-5.5" /> : <AdminIcon name={section} className="size-5.5" />}
      <span className="flex items-center gap-0.5">
        {isInBar ? 'More' : sectionTitles[section]}
        {!isInBar && <Icon name="down" className="size-3 rotate-180 max-[22.5rem]:hidden" />}
      </span>
      <span className="sr-only">{isInBar ? ' sections' : ', current section. More sections'}</span>
      <SectionBadge waiting={waiting} className={badgeClass} />
    </button>
  );
}

type SheetProps = { section: Section; counts: Counts; isOpen: boolean; onClose: () => void };

export function SectionSheet({ section, counts, isOpen, onClose }: SheetProps) {
  const id = useId();
  return (
    <Sheet side="bottom" open={isOpen} onClose={onClose} title="Sections">
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
                    onClick={onClose}
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
  );
}
