// The sidebar of the admin area: its sections, the shop, sign-out. A rail on a tablet. On a phone the sections are a bar
// at the foot of the screen, in reach of the thumb, and the rest is at the top.
import { useShop } from '~/api/shop';
import type { User } from '~/api/types';
import { useSignOut } from '~/shared/auth/session';
import { IconButton } from '~/ui/button';
import { BrandMark } from '~/ui/rangoli';
import { Link } from '~/ui/router';
import { ThemeToggle } from '~/ui/theme-toggle';
import { type SectionCount, useSectionCounts } from './section-counts';
import { AdminIcon } from './shared/admin-icon';
import { adminPath, SECTIONS, type Section, sectionTitles } from './shared/url-state';

const item =
  'flex min-h-11 items-center gap-3 rounded-md px-3 font-semibold text-ink-soft transition hover:bg-paper-deep hover:text-ink max-lg:flex-col max-lg:justify-center max-lg:gap-1 max-lg:py-2 max-lg:text-xs max-md:min-w-12 max-md:px-0.5 md:max-lg:px-1';

/** On a narrow phone the bar scrolls. */
function showInBar(item: HTMLLIElement | null) {
  item?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

export function Sidebar({ section, user }: { section: Section; user: User }) {
  const { name } = useShop();
  const signOut = useSignOut();
  const counts = useSectionCounts();
  return (
    <aside
      aria-label="Admin console"
      className="flex shrink-0 gap-1 border-line bg-surface p-3 max-md:overflow-x-auto max-md:sticky max-md:bottom-0 max-md:z-20 max-md:order-last max-md:border-t max-md:px-1 max-md:pt-1.5 max-md:pb-[calc(0.375rem+env(safe-area-inset-bottom))] md:sticky md:top-0 md:h-dvh md:w-24 md:flex-col lg:w-60"
    >
      <p className="mb-4 flex items-center gap-2 px-1 max-md:hidden md:max-lg:justify-center">
        <BrandMark className="size-10" />
        <span className="max-lg:sr-only">
          <span className="block font-display text-2xl leading-none">{name}</span>
          <span className="text-sm text-ink-soft">Admin console</span>
        </span>
      </p>
      <nav aria-label="Sections" className="max-md:grow">
        <ul className="flex max-md:justify-around md:flex-col md:gap-1">
          {SECTIONS.map((each) => (
            <li key={each} ref={each === section ? showInBar : undefined}>
              <Link
                to={adminPath(each)}
                aria-current={each === section ? 'page' : undefined}
                className={`${item} relative aria-[current=page]:bg-chilli-wash aria-[current=page]:text-chilli`}
              >
                <AdminIcon name={each} className="size-5.5 shrink-0" />
                {sectionTitles[each]}
                <Count waiting={counts[each]} />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-auto flex flex-col gap-1 border-t border-line pt-3 max-md:hidden">
        <p className="truncate px-3 pb-1 text-sm text-ink-soft max-lg:hidden" title={user.email}>
          {user.name || user.email}
        </p>
        <Link to="/" className={item}>
          <AdminIcon name="shop" className="size-5.5 shrink-0" />
          Shop
        </Link>
        <button type="button" onClick={signOut} className={`${item} w-full`}>
          <AdminIcon name="out" className="size-5.5 shrink-0" />
          Logout
        </button>
        <div className="md:max-lg:self-center lg:px-0.5">
          <ThemeToggle />
        </div>
      </div>
    </aside>
  );
}

export function PhoneBar() {
  const { name } = useShop();
  const signOut = useSignOut();
  return (
    <div className="flex items-center gap-1 border-b border-line bg-surface px-2 py-1 text-ink-soft md:hidden">
      <p className="mr-auto flex items-center gap-2 px-2 font-display text-xl text-ink">
        <BrandMark className="size-7" />
        {name}
      </p>
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

/** Beside the name; on the icon where the name is below it. */
function Count({ waiting }: { waiting: SectionCount | undefined }) {
  if (!waiting || waiting.count === 0) return null;
  return (
    <span className="grid h-5.5 min-w-5.5 place-items-center rounded-full bg-chilli-fill px-1.5 text-xs font-bold text-on-chilli tabular-nums max-lg:absolute max-lg:top-0.5 max-lg:left-1/2 max-lg:ml-1 lg:ml-auto">
      {waiting.count > 99 ? '99+' : waiting.count}
      <span className="sr-only"> {waiting.label}</span>
    </span>
  );
}
