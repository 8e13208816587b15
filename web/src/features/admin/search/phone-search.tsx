// The search on a phone: an icon in the bar opens it.
import { useState } from 'react';
import { useLocation } from '~/lib/router/router';
import { IconButton } from '~/ui/button';
import { Dialog } from '~/ui/dialog/dialog';
import { Icon } from '~/ui/graphics/icons';
import { SearchBox } from './search-box';

export function PhoneSearch() {
  const { pathname, search } = useLocation();
  const here = pathname + search;
  // A navigation closes it, also one that was confirmed in a dialog.
  const [openAt, setOpenAt] = useState('');
  const close = () => setOpenAt('');
  return (
    <>
      <IconButton label="Search the console" data-admin-search-button onClick={() => setOpenAt(here)}>
        <Icon name="search" className="size-5.5" />
      </IconButton>
      <Dialog open={openAt === here} onClose={close} title="Search" width="36rem">
        <div className="mt-3 min-h-[50dvh]">
          <SearchBox inline onGo={close} />
        </div>
      </Dialog>
    </>
  );
}
