// What the user menu shows when it is open: the user, links to their pages, sign-out.
import type { User } from '~/api/types';
import { Link } from '~/lib/router/router';
import { useSignOut } from '~/shared/auth/sign-out';

const item = 'flex min-h-11 items-center rounded-md px-3 font-medium transition hover:bg-paper-deep';

export default function AccountMenu({ user, onClose }: { user: User; onClose: () => void }) {
  const signOut = useSignOut();
  return (
    <>
      <div className="border-b border-line px-3 pt-2 pb-3">
        <p className="truncate font-semibold">{user.name}</p>
        <p className="truncate text-sm text-ink-soft">{user.email}</p>
      </div>
      <nav aria-label="Your account" className="pt-2">
        <Link to="/user/dashboard/profile" className={item} onClick={onClose}>
          Profile
        </Link>
        <Link to="/user/dashboard/orders" className={item} onClick={onClose}>
          My Orders
        </Link>
        <Link to="/wishlist" className={item} onClick={onClose}>
          Wishlist
        </Link>
        {user.role === 'admin' && (
          <Link to="/admins" className={item} onClick={onClose}>
            Admin console
          </Link>
        )}
        <button type="button" className={`${item} w-full text-chilli`} onClick={signOut}>
          Logout
        </button>
      </nav>
    </>
  );
}
