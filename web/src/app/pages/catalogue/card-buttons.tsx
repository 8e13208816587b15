// What the cards of the product lists have on their images.
import type { Product } from '~/api/types';
import { CardStepper } from '~/features/cart/card-stepper';
import { CardHeart } from '~/features/wishlist/heart-button';
import type { CardButtons } from '~/shared/product/product-card';

export const cardButtons = (product: Product): CardButtons => ({
  wishlistButton: <CardHeart product={product} />,
  cartButton: <CardStepper product={product} />,
});
