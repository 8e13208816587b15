// /cuisines/…: under maintenance, with the cuisine's products below.
import { useLocation } from 'react-router';
import { CollectionView } from '~/features/catalogue/collection-view';
import { categoriesOf, collectionForPath, cuisinePages } from '../collections';

export default function CuisinePage() {
  const label = collectionForPath(cuisinePages, useLocation().pathname);
  return <CollectionView categories={categoriesOf(label)} notice={`${label} Cuisine Page - Under Maintenance`} />;
}
