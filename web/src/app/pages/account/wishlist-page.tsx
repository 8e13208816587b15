// The wishlist.
import { WishlistView } from '~/features/wishlist/wishlist-view';
import { PageTitle } from '~/ui/page-title';

export default function WishlistPage() {
  return (
    <div className="page-width min-h-[60vh]">
      <PageTitle title="Your Wishlist" />
      <WishlistView />
    </div>
  );
}
