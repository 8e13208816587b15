// The user menu in the header: a sign-in button for visitors; name, profile, orders and sign-out for users.
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { openLogin } from '~/shared/auth/overlay-store';
import { useSession } from '~/shared/auth/session';
import { Icon } from '~/ui/graphics/icons';

const AccountMenu = lazy(() => import('./account-menu'));

export function UserMenu() {
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const menuId = useId();

  useEffect(() => {
    if (!open) return;
    const onPointer = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      trigger.current?.focus();
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('keydown', onKey);
    };
  }, [open]);

  if (!user) {
    return (
      <button
        type="button"
        onClick={() => openLogin()}
        className="inline-flex min-h-11 items-center gap-2 rounded-full px-3 font-semibold transition hover:bg-paper-deep sm:px-4"
      >
        <Icon name="user" className="size-6 lg:hidden" />
        <span className="max-lg:sr-only">Sign In</span>
      </button>
    );
  }

  const firstName = user.name.split(' ')[0] ?? user.name;
  return (
    <div ref={box} className="relative">
      <button
        ref={trigger}
        type="button"
        aria-expanded={open}
        aria-controls={menuId}
        onClick={() => setOpen(!open)}
        className="inline-flex min-h-11 items-center gap-2 rounded-full p-1 pr-2 font-semibold transition hover:bg-paper-deep lg:pr-3"
      >
        <Avatar photo={user.photo} name={user.name} />
        <span className="max-w-28 truncate max-lg:sr-only">{firstName}</span>
      </button>
      {open && (
        <div
          id={menuId}
          className="animate-rise absolute right-0 z-40 mt-2 w-64 rounded-lg border border-line bg-raised p-2 shadow-lift"
        >
          <Suspense fallback={null}>
            <AccountMenu user={user} onClose={() => setOpen(false)} />
          </Suspense>
        </div>
      )}
    </div>
  );
}

function Avatar({ photo, name }: { photo: string | null; name: string }) {
  const frame = 'size-9 rounded-full';
  return photo?.startsWith('/') || photo?.startsWith('data:') ? (
    <img src={photo} alt="" width={36} height={36} className={`${frame} object-cover`} />
  ) : (
    <span
      aria-hidden="true"
      className={`${frame} grid place-items-center bg-cardamom-fill font-display text-on-cardamom`}
    >
      {name.charAt(0).toUpperCase()}
    </span>
  );
}
