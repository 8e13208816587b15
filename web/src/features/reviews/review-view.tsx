// Writing a review: from the link of an email, with stars already chosen, or from a product. The link opens without a
// session; publishing needs one.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '~/api/error';
import { productQuery } from '~/api/queries/catalogue';
import type { OwnReview, RequestedReviews } from '~/api/types';
import { Link } from '~/lib/router/router';
import { SignInPrompt } from '~/shared/auth/sign-in-prompt';
import { lifestyleImageIndex, productImage } from '~/shared/product/images/image-url';
import { ProductImage } from '~/shared/product/images/product-image';
import { Button, ButtonLink } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog/confirm-dialog';
import { ErrorState } from '~/ui/feedback/error-state';
import { EmptyState, Loading, Skeleton } from '~/ui/feedback/states';
import { ReviewForm } from './review-form';
import { requestedReviewsQuery, useDeleteReview, useOwnReviews } from './review-queries';

type Props = { token: string; product: string; stars: number };

export function ReviewView({ token, product, stars }: Props) {
  const requested = useQuery(requestedReviewsQuery(token));
  if (requested.isLoading) return <Waiting />;
  const open = requested.data?.products.find((one) => one.stars === null) ?? requested.data?.products[0];
  const id = product || open?.productId;
  if (!id) {
    return requested.isError ? (
      <ErrorState message={requested.error.message} onRetry={() => void requested.refetch()} />
    ) : (
      <EmptyState
        text="What would you like to review?"
        hint="Your orders have what you received."
        action={{ to: '/orders', label: 'See your orders' }}
      />
    );
  }
  return <OneReview key={id} id={id} stars={stars} token={token} requested={requested.data} />;
}

type OneProps = { id: string; stars: number; token: string; requested: RequestedReviews | undefined };

function OneReview({ id, stars, token, requested }: OneProps) {
  const product = useQuery(productQuery(id));
  const own = useOwnReviews(id);
  const [isSaved, setSaved] = useState(false);
  const isRequested = requested?.products.some((one) => one.productId === id) ?? false;
  const review = own.data?.reviews[0];

  if (own.checking || own.isLoading || product.isPending) return <Waiting />;
  if (own.isError) {
    return (
      <ErrorState message={errorMessage(own.error, 'Failed to load your review')} onRetry={() => void own.refetch()} />
    );
  }
  if (!product.data) {
    return <EmptyState text="Product not found." action={{ to: '/sub-products', label: 'See all masalas' }} />;
  }
  const { product_name: name } = product.data;
  const others = requested?.products.filter((one) => one.productId !== id && one.stars === null) ?? [];
  const next = others[0] && `/review?token=${token}&product=${encodeURIComponent(others[0].productId)}`;
  if (isSaved) return <Thanks id={id} name={name} next={next} nextName={others[0]?.productName ?? ''} />;
  if (!own.authenticated && !isRequested) {
    return (
      <SignInPrompt
        text={`How do you like ${name}?`}
        hint="Sign in with the account that you ordered with, to review it."
      />
    );
  }
  const canWrite = !own.authenticated || review || own.data?.canReview;
  return (
    <div className="grid gap-8 md:grid-cols-[14rem_1fr] md:gap-12">
      <Link to={`/product/${id}`} className="flex items-center gap-4 md:block">
        <ProductImage
          source={productImage(product.data, lifestyleImageIndex(product.data))}
          name={name}
          sizes="14rem"
          widths={[160, 320, 480]}
          alt=""
          className="aspect-[4/5] w-24 rounded-lg object-cover shadow-card md:w-full"
        />
        <span className="font-display text-heading md:mt-4 md:block">{name}</span>
      </Link>
      <div className="max-w-xl">
        {canWrite ? (
          <>
            {review && review.hiddenReason !== null && <HiddenNote review={review} />}
            <ReviewForm
              productId={id}
              review={review}
              stars={stars}
              isSignedIn={own.authenticated === true}
              onSaved={() => setSaved(true)}
            />
            {review && review.hiddenReason === null && <DeleteReview id={review._id} />}
          </>
        ) : (
          <p className="rounded-lg bg-paper-deep p-6 text-lg">
            Only customers who received {name} can review it. If you ordered it with another account, please sign in
            with that one.
          </p>
        )}
      </div>
    </div>
  );
}

function HiddenNote({ review }: { review: OwnReview }) {
  return (
    <p className="mb-6 rounded-md bg-chilli-wash px-4 py-3 text-chilli">
      We have hidden this review: {review.hiddenReason} Others do not see it.
    </p>
  );
}

function Thanks({
  id,
  name,
  next,
  nextName,
}: {
  id: string;
  name: string;
  next: string | undefined;
  nextName: string;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The form was longer: where its button was, there is the footer now.
    window.scrollTo({ top: 0, behavior: 'instant' });
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div
      role="status"
      className="mx-auto max-w-xl rounded-xl border border-line bg-surface p-10 text-center shadow-card"
    >
      <h2 ref={heading} tabIndex={-1} className="text-heading outline-none">
        Thank you!
      </h2>
      <p className="mt-2 text-lg text-ink-soft">Your review of {name} is published.</p>
      <p className="mt-7 flex flex-wrap justify-center gap-3">
        {next && <ButtonLink to={next}>Review {nextName}</ButtonLink>}
        <ButtonLink variant={next ? 'secondary' : 'primary'} to={`/product/${id}#reviews`}>
          See all reviews
        </ButtonLink>
      </p>
    </div>
  );
}

function DeleteReview({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false);
  const remove = useDeleteReview(id);
  return (
    <>
      <Button variant="ghost" size="sm" className="mt-4 w-full" busy={remove.isPending} onClick={() => setAsked(true)}>
        Delete your review
      </Button>
      <ConfirmDialog
        open={isAsked}
        question="Delete your review?"
        hint="Its photos and votes are deleted, too."
        action="Delete review"
        onClose={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false);
          remove.mutate();
        }}
      />
    </>
  );
}

export function Waiting() {
  return (
    <Loading text="Loading...">
      <Skeleton className="h-96 w-full !rounded-lg" />
    </Loading>
  );
}
