// 'Trending Masalas' of home, with the wishlist's buttons on its cards.
import { Trending } from '~/features/home/trending';
import { CardHeart } from '~/features/wishlist/heart-button';

export function HomeTrending() {
  return <Trending wishlistButton={(product) => <CardHeart product={product} />} />;
}
