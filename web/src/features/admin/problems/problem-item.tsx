// One reported problem: who, which packs, what is wrong, photos, until when, and what can be done.
import { useState } from 'react';
import type { ListedProblem, ProblemAction } from '~/api/types';
import { formatAmount, formatDateTimeIst } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId } from '~/shared/order/order-status';
import { packsText } from '~/shared/order/packs';
import { PhotoList } from '~/shared/order/photo-list';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { adminPath } from '../console/url-state';
import { dueText, stateBadge } from './problem-filter';
import { RepeatWarning, ResolveDialog } from './resolve-dialog';

export function ProblemItem({ problem }: { problem: ListedProblem }) {
  const [action, setAction] = useState<ProblemAction | null>(null);
  const badge = stateBadge(problem);
  const due = dueText(problem);
  const { overdue, orderNumber } = problem;
  return (
    <article
      aria-label={`Problem with order ${orderNumber}`}
      className={`rounded-lg border bg-surface p-4 shadow-card sm:p-5 ${overdue ? 'border-chilli border-l-4' : 'border-line'}`}
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-sans text-lg font-bold tabular-nums">
          Order{' '}
          <Link className="link" to={adminPath('orders', { orderId: problem.orderId })}>
            {orderNumber}
          </Link>
        </h2>
        <Badge tone={badge.tone}>{badge.label}</Badge>
        {due && (
          <p className={`text-sm font-semibold tabular-nums ${overdue ? 'text-chilli' : 'text-ink-soft'}`}>{due}</p>
        )}
      </header>
      <div className="mt-3 grid gap-x-8 gap-y-4 lg:grid-cols-[2fr_1fr]">
        <div className="space-y-3">
          <p className="text-[1.0625rem] whitespace-pre-line [overflow-wrap:anywhere]">{problem.message}</p>
          <ul className="space-y-0.5 font-semibold">
            {problem.lines.map((line) => (
              <li key={line.productId}>
                {problem.productNames[line.productId] ?? line.productId}: {packsText(line)}
              </li>
            ))}
          </ul>
          <RepeatWarning problem={problem} />
          <PhotoList images={problem.images} />
        </div>
        <dl className="grid grid-cols-[auto_1fr] content-start gap-x-4 gap-y-1 text-sm [&_dd]:[overflow-wrap:anywhere] [&_dt]:text-ink-soft">
          <dt>Customer</dt>
          <dd>
            {problem.customerName || 'Customer'}
            <br />
            <a className="link" href={`mailto:${problem.customerEmail}`}>
              {problem.customerEmail}
            </a>
          </dd>
          <dt>Reported</dt>
          <dd className="tabular-nums">{formatDateTimeIst(problem.createdAt)}</dd>
          {problem.deliveredAt && (
            <>
              <dt>Delivered</dt>
              <dd className="tabular-nums">{formatDateTimeIst(problem.deliveredAt)}</dd>
            </>
          )}
          <dt>Order total</dt>
          <dd className="tabular-nums">{formatAmount(problem.orderTotal)}</dd>
        </dl>
      </div>
      {problem.state === 'open' ? (
        <div className="mt-4 flex flex-wrap gap-2.5 border-t border-line pt-4 max-sm:[&>*]:grow">
          <Button size="sm" onClick={() => setAction('replace')}>
            Replace
          </Button>
          <Button variant="secondary" size="sm" onClick={() => setAction('refund')}>
            Refund
          </Button>
          <Button variant="ghost" size="sm" onClick={() => setAction('decline')}>
            Decline
          </Button>
        </div>
      ) : (
        <Outcome problem={problem} />
      )}
      <ResolveDialog problem={problem} action={action} onClose={() => setAction(null)} />
    </article>
  );
}

function Outcome({ problem }: { problem: ListedProblem }) {
  const { response, resolvedAt, resolvedBy, replacementOrderId, refundId, paidOrderId } = problem;
  return (
    <footer className="mt-4 space-y-1 border-t border-line pt-3 text-sm">
      {response && (
        <blockquote className="mb-2 border-l-4 border-turmeric pl-3 text-[0.9375rem] whitespace-pre-line [overflow-wrap:anywhere]">
          {response}
        </blockquote>
      )}
      {replacementOrderId && (
        <p>
          Replacement:{' '}
          <Link className="link font-semibold" to={adminPath('orders', { orderId: replacementOrderId })}>
            order {shortId(replacementOrderId)}
          </Link>
        </p>
      )}
      {refundId && (
        <p>
          Refund:{' '}
          <Link className="link font-semibold" to={adminPath('orders', { orderId: paidOrderId })}>
            on order {shortId(paidOrderId)}
          </Link>
        </p>
      )}
      {resolvedAt && (
        <p className="text-ink-soft tabular-nums [overflow-wrap:anywhere]">
          {formatDateTimeIst(resolvedAt)} · {resolvedBy ?? 'The shop'}
        </p>
      )}
    </footer>
  );
}
