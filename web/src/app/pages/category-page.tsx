// /categories/…: under maintenance, with the category's products below.
import { useLocation } from 'react-router';
import { CollectionView } from '~/features/catalogue/collection-view';
import { categoryPages, collectionAt } from '../collections';

export default function CategoryPage() {
  const { pathname } = useLocation();
  return <CollectionView label={collectionAt(categoryPages, pathname)} notice="Page under maintenance" />;
}
