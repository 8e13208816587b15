// /categories/…: under maintenance, with the category's products below.
import { useLocation } from 'react-router';
import { CollectionView } from '~/features/catalogue/collection-view';
import { categoryPages, collectionAt, shelvesOf } from '../collections';

export default function CategoryPage() {
  const { pathname } = useLocation();
  return (
    <CollectionView categories={shelvesOf(collectionAt(categoryPages, pathname))} notice="Page under maintenance" />
  );
}
