// The user's profile and addresses. The open tab is in the URL, so that a reload keeps it.

import { AddressBook } from '~/features/addresses/address-book';
import { ProfileView } from '~/features/profile/profile-view';
import { parseQuery } from '~/lib/router/query-string';
import { useLocation, useNavigate } from '~/lib/router/router';
import { RequireAuth } from '~/shared/auth/require-auth';
import { ButtonLink } from '~/ui/button';
import { Icon } from '~/ui/graphics/icons';
import { PageTitle } from '~/ui/page-title';
import { Tabs } from '~/ui/tabs';

export default function ProfilePage() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const tab = parseQuery(search).get('tab') || 'profile';
  return (
    <div className="page-width min-h-[60vh] pb-16">
      <div className="flex flex-wrap items-end justify-between gap-x-6">
        <PageTitle title="My Profile" />
        <ButtonLink to="/user/dashboard/orders" variant="ghost" className="mb-7 -mr-4 !gap-1 !px-4">
          My Orders
          <Icon name="right" className="size-5" />
        </ButtonLink>
      </div>
      <RequireAuth
        title="Your corner of the kitchen"
        hint="Sign in to keep your details, your addresses and your orders in one place."
      >
        <Tabs
          label="My Profile"
          active={tab}
          onChange={(key) => void navigate(pathname + (key === 'profile' ? '' : `?tab=${key}`), { replace: true })}
          tabs={[
            { key: 'profile', label: 'Profile', panel: <ProfileView /> },
            { key: 'addresses', label: 'Addresses', panel: <AddressBook /> },
          ]}
        />
      </RequireAuth>
    </div>
  );
}
