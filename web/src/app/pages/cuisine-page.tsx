// /cuisines/…: under maintenance, with the cuisine's products below.
import { useLocation } from 'react-router';
import { CollectionView } from '~/features/catalogue/collection-view';
import { collectionAt, cuisinePages, shelvesOf } from '../collections';

export default function CuisinePage() {
  const label = collectionAt(cuisinePages, useLocation().pathname);
  return <CollectionView categories={shelvesOf(label)} notice={`${label} Cuisine Page - Under Maintenance`} />;
}
