// A product's page: connects the product with the cart, the wishlist and its reviews.
import { useEffect } from 'react';
import { post } from '~/api/client';
import { useAddToCart } from '~/features/cart/cart-mutations';
import { ProductView } from '~/features/product/product-view';
import { ReviewsSection } from '~/features/reviews/reviews-section-lazy';
import { CardHeart, HeartButton } from '~/features/wishlist/heart-button';
import { HydrationIsland } from '~/lib/hydration/hydration-island';
import { useRouteParam } from '../../routing/route-params';

export default function ProductPage() {
  const id = useRouteParam('id');
  const { add, addingIds } = useAddToCart();
  // Counted without saying who it was. Pages that are loaded ahead are not shown.
  useEffect(() => {
    post('/api/products/{id}/opened', { path: { id }, fallback: '' }).catch(() => undefined);
  }, [id]);
  return (
    <ProductView
      id={id}
      adding={addingIds.includes(id)}
      onAdd={(packs) => add({ productId: id, ...packs })}
      wishlistButton={(product) => (
        <HeartButton productId={product._id} name={product.product_name} className="!size-13" />
      )}
      cardHeart={(product) => <CardHeart product={product} />}
      reviews={(product) => (
        <HydrationIsland>
          <ReviewsSection productId={product._id} name={product.product_name} />
        </HydrationIsland>
      )}
    />
  );
}
