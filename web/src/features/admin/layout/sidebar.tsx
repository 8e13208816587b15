// The sidebar of the admin area: its sections in groups, the shop, sign-out. A rail on a tablet. On a phone the sections of
// daily work are a bar at the foot of the screen, in reach of the thumb; its last button opens a sheet with all sections.
import { useId } from 'react';
import { useShop } from '~/api/queries/shop';
import type { User } from '~/api/types';
import { Link } from '~/lib/router/router';
import { useSignOut } from '~/shared/auth/sign-out';
import { IconButton } from '~/ui/button';
import { BrandMark } from '~/ui/graphics/rangoli';
import { ThemeToggle } from '~/ui/theme-toggle';
import { AdminIcon } from '../console/admin-icon';
import { adminPath, SECTION_GROUPS, type Section, sectionTitles } from '../console/url-state';
import { PhoneSearch } from '../search/phone-search';
import { SectionBadge } from './section-badge';
import { useSectionCounts } from './section-counts';
import { BAR_SECTIONS, SectionMenuButton, SectionSheet, useSectionSheet } from './section-menu';

const item =
  'flex min-h-11 items-center gap-3 rounded-md px-3 font-semibold text-ink-soft transition hover:bg-paper-deep hover:text-ink max-lg:flex-col max-lg:justify-center max-lg:gap-0.5 max-lg:px-0.5 max-lg:py-1.5 max-lg:text-center max-lg:text-xs';
const footerItem = 'lg:gap-2 lg:px-2 lg:text-[0.9375rem]';

/** A low window does not show the whole list. Not `scrollIntoView`: on a phone it scrolls the page below the bar. */
function showInList(entry: HTMLLIElement | null) {
  const list = entry?.closest('nav');
  if (!entry || !list) return;
  const [shown, { top, bottom }] = [list.getBoundingClientRect(), entry.getBoundingClientRect()];
  if (top < shown.top) list.scrollTop -= shown.top - top;
  else if (bottom > shown.bottom) list.scrollTop += bottom - shown.bottom;
}

export function Sidebar({ section, user }: { section: Section; user: User }) {
  const { name } = useShop();
  const signOut = useSignOut();
  const counts = useSectionCounts();
  const sheet = useSectionSheet();
  const id = useId();
  return (
    <aside
      aria-label="Admin console"
      data-foot
      className="flex shrink-0 gap-1 border-line bg-surface max-md:sticky max-md:bottom-0 max-md:z-20 max-md:order-last max-md:border-t max-md:px-1 max-md:pt-1 max-md:pb-[calc(0.25rem+env(safe-area-inset-bottom))] md:sticky md:top-0 md:h-dvh md:w-24 md:flex-col md:py-3 lg:w-64"
    >
      <p className="flex items-center gap-2 px-4 pb-3 max-md:hidden md:max-lg:justify-center">
        <BrandMark className="size-10" />
        <span className="max-lg:sr-only">
          <span className="block font-display text-2xl leading-none">{name}</span>
          <span className="text-sm text-ink-soft">Admin console</span>
        </span>
      </p>
      <nav
        aria-label="Sections"
        className="max-md:grid max-md:grow max-md:auto-cols-fr max-md:grid-flow-col md:min-h-0 md:overflow-y-auto md:overscroll-contain md:px-3 md:pb-2"
      >
        {SECTION_GROUPS.map(({ title, sections }, index) => (
          <div
            key={title}
            className={`max-md:contents ${index > 0 ? 'md:max-lg:mt-1.5 md:max-lg:border-t md:max-lg:border-line md:max-lg:pt-1.5' : ''}`}
          >
            <p
              id={`${id}-${index}`}
              className={`px-3 pt-3 pb-1 text-xs font-bold tracking-wide text-ink-soft uppercase max-lg:hidden ${index === 0 ? 'sr-only' : ''}`}
            >
              {title}
            </p>
            <ul aria-labelledby={`${id}-${index}`} className="flex flex-col gap-0.5 max-md:contents">
              {sections.map((each) => (
                <li
                  key={each}
                  ref={each === section ? showInList : undefined}
                  className={BAR_SECTIONS.includes(each) ? undefined : 'max-md:hidden'}
                >
                  <Link
                    to={adminPath(each)}
                    aria-current={each === section ? 'page' : undefined}
                    className={`${item} relative aria-[current=page]:bg-chilli-wash aria-[current=page]:text-chilli`}
                  >
                    <AdminIcon name={each} className="size-5.5 shrink-0" />
                    {sectionTitles[each]}
                    <SectionBadge waiting={counts[each]} className={onIcon} />
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <SectionMenuButton
          section={section}
          counts={counts}
          isOpen={sheet.isOpen}
          className={item}
          badgeClass={onIcon}
          onOpen={sheet.open}
        />
      </nav>
      <SectionSheet section={section} counts={counts} isOpen={sheet.isOpen} onClose={sheet.close} />
      <div className="mt-auto border-t border-line px-3 pt-2 max-md:hidden">
        <p className="truncate px-2 pb-1 text-sm text-ink-soft max-lg:hidden" title={user.email}>
          {user.name || user.email}
        </p>
        <div className="flex gap-0.5 md:max-lg:flex-col lg:items-center lg:justify-between">
          <Link to="/" className={`${item} ${footerItem}`}>
            <AdminIcon name="shop" className="size-5.5 shrink-0" />
            Shop
          </Link>
          <button type="button" onClick={signOut} className={`${item} ${footerItem}`}>
            <AdminIcon name="out" className="size-5.5 shrink-0" />
            Logout
          </button>
          <div className="md:max-lg:self-center">
            <ThemeToggle />
          </div>
        </div>
      </div>
    </aside>
  );
}

/** The count is beside the name, or on the icon where the name is below it. */
const onIcon = 'max-lg:absolute max-lg:top-0.5 max-lg:left-1/2 max-lg:ml-1 lg:ml-auto';

export function PhoneBar() {
  const { name } = useShop();
  const signOut = useSignOut();
  return (
    <div
      data-head
      className="flex items-center gap-1 border-b border-line bg-surface px-2 py-1 text-ink-soft md:hidden"
    >
      <p className="mr-auto flex min-w-0 items-center gap-2 px-2 font-display text-xl text-ink">
        <BrandMark className="size-7 shrink-0" />
        <span className="min-w-0 truncate max-[22.5rem]:sr-only">{name}</span>
      </p>
      <PhoneSearch />
      <Bell />
      <ThemeToggle />
      <Link
        to="/"
        aria-label="Shop"
        className="inline-grid size-11 place-items-center rounded-full transition hover:bg-paper-deep"
      >
        <AdminIcon name="shop" className="size-5.5" />
      </Link>
      <IconButton label="Logout" onClick={signOut}>
        <AdminIcon name="out" className="size-5.5" />
      </IconButton>
    </div>
  );
}

/** On a phone the list of what is to do is one press away. */
function Bell() {
  const waiting = useSectionCounts()['to-do'];
  return (
    <Link
      to={adminPath('to-do')}
      aria-label={`What is to do${waiting?.count ? `: ${waiting.count}` : ''}`}
      className="relative inline-grid size-11 place-items-center rounded-full transition hover:bg-paper-deep"
    >
      <AdminIcon name="bell" className="size-5.5" />
      <SectionBadge waiting={waiting} className="absolute top-0 right-0" />
    </Link>
  );
}
