// /categories/…: under maintenance, with the category's products below.
import { useLocation } from 'react-router';
import { CollectionView } from '~/features/catalogue/collection-view';
import { categoriesOf, categoryPages, collectionForPath } from '../collections';

export default function CategoryPage() {
  const { pathname } = useLocation();
  return (
    <CollectionView
      categories={categoriesOf(collectionForPath(categoryPages, pathname))}
      notice="Page under maintenance"
    />
  );
}
