// /cuisines/…: under maintenance, with the cuisine's products below.

import { CollectionView } from '~/features/catalogue/collection-view';
import { useLocation } from '~/lib/router/router';
import { categoriesOf, collectionForPath, cuisinePages } from '../../routing/collections';
import { cardButtons } from './card-buttons';

export default function CuisinePage() {
  const label = collectionForPath(cuisinePages, useLocation().pathname);
  return (
    <CollectionView
      categories={categoriesOf(label)}
      notice={`${label} Cuisine Page - Under Maintenance`}
      buttons={cardButtons}
    />
  );
}
