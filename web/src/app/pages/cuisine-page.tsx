// /cuisines/…: under maintenance, with the cuisine's products below.
import { useLocation } from 'react-router';
import { CollectionView } from '~/features/catalogue/collection-view';
import { collectionAt, cuisinePages } from '../collections';

export default function CuisinePage() {
  const label = collectionAt(cuisinePages, useLocation().pathname);
  return <CollectionView label={label} notice={`${label} Cuisine Page - Under Maintenance`} />;
}
