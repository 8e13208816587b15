// One review: stars, author, words, photos, the shop's reply, and the vote of the reader.
import { useShop } from '~/api/queries/shop';
import type { Review } from '~/api/types';
import { formatDate } from '~/lib/format';
import { openLogin } from '~/shared/auth/overlay-store';
import { PhotoList } from '~/shared/order/photo-list';
import { Button } from '~/ui/button';
import { Icon } from '~/ui/graphics/more-icons';
import { Stars } from '~/ui/graphics/stars';
import { useOwnReviews, useVote } from './review-queries';

export function ReviewItem({ review, productId }: { review: Review; productId: string }) {
  const { name } = useShop();
  const { reply } = review;
  return (
    <article aria-label={`Review by ${review.author}`} className="py-6">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars value={review.stars} className="text-lg" />
        <p className="font-semibold [overflow-wrap:anywhere]">{review.author}</p>
        <p className="text-sm text-ink-soft">
          <time dateTime={review.createdAt}>{formatDate(review.createdAt)}</time>
          {review.editedAt && ', edited'}
        </p>
      </header>
      {review.text && (
        <p className="mt-2.5 max-w-prose text-[1.0625rem] leading-relaxed whitespace-pre-line [overflow-wrap:anywhere]">
          {review.text}
        </p>
      )}
      {review.images.length > 0 && (
        <div className="mt-3">
          <PhotoList images={review.images} thumbnailWidth={320} />
        </div>
      )}
      {reply && (
        <div className="mt-4 max-w-prose rounded-r-md border-l-4 border-turmeric bg-paper-deep px-4 py-3">
          <p className="text-sm font-semibold">
            {name} replied on {formatDate(reply.at)}
          </p>
          <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">{reply.text}</p>
        </div>
      )}
      <Vote review={review} productId={productId} />
    </article>
  );
}

function Vote({ review, productId }: { review: Review; productId: string }) {
  const { data: own, authenticated } = useOwnReviews(productId);
  const vote = useVote(productId);
  if (own?.reviews.some(({ _id }) => _id === review._id)) return null;
  const voted = own?.helpful.includes(review._id) ?? false;
  const onClick = () => {
    if (authenticated === false) openLogin();
    else vote.mutate({ id: review._id, helpful: !voted });
  };
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-pressed={voted}
      disabled={vote.isPending}
      onClick={onClick}
      className={`mt-2 -ml-3 !gap-1.5 !px-3 ${voted ? '!text-cardamom' : '!text-ink-soft'}`}
    >
      {voted && <Icon name="check" className="size-4" />}
      Helpful
      {review.helpful > 0 && <span className="tabular-nums">({review.helpful})</span>}
      <span className="sr-only">: review by {review.author}</span>
    </Button>
  );
}
