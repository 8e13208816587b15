// /categories/…: under maintenance, with the category's products below.

import { CollectionView } from '~/features/catalogue/collection-view';
import { useLocation } from '~/lib/router/router';
import { categoriesOf, categoryPages, collectionForPath } from '../../routing/collections';
import { cardButtons } from './card-buttons';

export default function CategoryPage() {
  const { pathname } = useLocation();
  return (
    <CollectionView
      categories={categoriesOf(collectionForPath(categoryPages, pathname))}
      notice="Page under maintenance"
      buttons={cardButtons}
    />
  );
}
