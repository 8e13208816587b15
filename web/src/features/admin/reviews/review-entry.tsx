// One review in the admin's list, with its earlier texts, the shop's reply, and why it is hidden.
import { useState } from 'react';
import type { ListedReview } from '~/api/types';
import { formatDateTimeIst, plural } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId } from '~/shared/order/order-status';
import { PhotoList } from '~/shared/order/photo-list';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { Stars } from '~/ui/graphics/stars';
import { AuditLog } from '../console/audit-log';
import { adminPath } from '../console/url-state';
import { HideDialog, ReplyDialog } from './review-dialogs';
import { useModerateReview } from './review-queries';

export function ReviewEntry({ review }: { review: ListedReview }) {
  const [open, setOpen] = useState<'reply' | 'hide' | null>(null);
  const showAgain = useModerateReview(review._id);
  const isHidden = review.hiddenAt !== null;
  const close = () => setOpen(null);
  return (
    <article
      aria-label={`Review of ${review.productName} by ${review.customerName || 'Customer'}`}
      className={`rounded-lg border border-line bg-surface p-4 shadow-card sm:p-5 ${isHidden ? 'border-dashed' : ''}`}
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Stars value={review.stars} className="text-lg" />
        <h2 className="font-sans text-lg font-bold">
          <Link className="link" to={`/product/${review.productId}#reviews`}>
            {review.productName}
          </Link>
        </h2>
        {isHidden && <Badge tone="red">Hidden</Badge>}
        {review.helpful > 0 && (
          <p className="text-sm text-ink-soft tabular-nums">helpful to {plural(review.helpful, 'customer')}</p>
        )}
      </header>
      <p className="mt-1 text-sm text-ink-soft tabular-nums">
        {review.customerName || 'Customer'} · order{' '}
        <Link className="link" to={adminPath('orders', { orderId: review.orderId })}>
          {shortId(review.orderId)}
        </Link>{' '}
        · {formatDateTimeIst(review.createdAt)}
      </p>
      <div className="mt-3 space-y-3">
        {review.text ? (
          <p className="max-w-prose text-[1.0625rem] whitespace-pre-line [overflow-wrap:anywhere]">{review.text}</p>
        ) : (
          <p className="text-ink-soft">Without words</p>
        )}
        <PhotoList images={review.images} thumbnailWidth={320} />
        <Edits review={review} />
        {review.reply && (
          <blockquote className="max-w-prose border-l-4 border-turmeric pl-3 text-[0.9375rem]">
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{review.reply.text}</p>
            <p className="mt-1 text-sm text-ink-soft tabular-nums">
              {formatDateTimeIst(review.reply.at)} · {review.repliedBy}
            </p>
          </blockquote>
        )}
        {review.hiddenAt && (
          <p className="rounded-md bg-chilli-wash px-4 py-3 text-[0.9375rem] text-chilli [overflow-wrap:anywhere]">
            Hidden by {review.hiddenBy} on {formatDateTimeIst(review.hiddenAt)}: {review.hiddenReason}
          </p>
        )}
      </div>
      <div className="mt-4 flex flex-wrap gap-2.5 border-t border-line pt-4 max-sm:[&>*]:grow">
        <Button size="sm" onClick={() => setOpen('reply')}>
          {review.reply ? 'Change reply' : 'Reply'}
        </Button>
        {isHidden ? (
          <Button
            variant="secondary"
            size="sm"
            busy={showAgain.isPending}
            onClick={() => showAgain.mutate({ hidden: false })}
          >
            Show again
          </Button>
        ) : (
          <Button variant="ghost" size="sm" onClick={() => setOpen('hide')}>
            Hide abuse
          </Button>
        )}
      </div>
      <AuditLog about={review._id} className="mt-2" />
      <ReplyDialog review={review} open={open === 'reply'} onClose={close} />
      <HideDialog review={review} open={open === 'hide'} onClose={close} />
    </article>
  );
}

function Edits({ review: { edits } }: { review: ListedReview }) {
  if (edits.length === 0) return null;
  return (
    <details className="max-w-prose text-sm">
      <summary className="min-h-11 cursor-pointer content-center font-semibold">
        Edited {plural(edits.length, 'time')}
      </summary>
      <ol className="space-y-2.5 border-l-2 border-line-strong/40 pl-4">
        {edits.map((edit) => (
          <li key={edit.replacedAt}>
            <p className="text-ink-soft tabular-nums">Until {formatDateTimeIst(edit.replacedAt)}</p>
            <Stars value={edit.stars} />
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{edit.text || 'Without words'}</p>
          </li>
        ))}
      </ol>
    </details>
  );
}
