// Problems of an order: those that were reported, and reporting one on the day of the delivery.
import { lazy, Suspense, useState } from 'react';
import type { Order, Problem } from '~/api/types';
import { formatDate, formatDateTime } from '~/lib/format';
import { Link, useLocation } from '~/lib/router/router';
import { useIsOver, useNow } from '~/lib/time-left';
import { shortId } from '~/shared/order/order-status';
import { packsText, productName } from '~/shared/order/packs';
import { PhotoList } from '~/shared/order/photo-list';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog/dialog';
import { Loading, Skeleton } from '~/ui/feedback/states';
import { ContactWays } from '../contact-ways';
import { Notice } from '../notice';
import { hasOpenProblem, nextStepText, problemWords, reportDeadlineText } from './problem-words';

const ProblemForm = lazy(() => import('./problem-form'));

/** The offer to report a problem, while that is possible. */
export function ReportProblem({ order, explain = false }: { order: Order; explain?: boolean }) {
  const [open, setOpen] = useState(false);
  const until = order.reportableUntil;
  const isOver = useIsOver(until);
  const canReport = !isOver && !hasOpenProblem(order);
  const close = () => setOpen(false);
  return (
    <>
      {canReport && until && (
        <Notice
          icon="parcel"
          tone="turmeric"
          action={
            <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
              Report a problem<span className="sr-only"> with order {shortId(order._id)}</span>
            </Button>
          }
        >
          <b className="font-semibold">Is something wrong with your parcel?</b> <Deadline until={until} />
        </Notice>
      )}
      {explain && isOver && until && order.problems.length === 0 && (
        <Notice icon="info">
          <b className="font-semibold">
            A problem with this parcel could be reported until 11:59 PM IST on {formatDate(until)}, the day of delivery.
          </b>{' '}
          Something is not as it should be? <ContactWays />
        </Notice>
      )}
      <Dialog open={open} onClose={close} title="Something is wrong with my parcel" width="36rem">
        <Suspense
          fallback={
            <Loading text="Loading...">
              <Skeleton className="mt-6 h-72 w-full !rounded-lg" />
            </Loading>
          }
        >
          <ProblemForm order={order} onDone={close} />
        </Suspense>
      </Dialog>
    </>
  );
}

/** A component of its own: only it renders again while the time passes. */
function Deadline({ until }: { until: string }) {
  return <span className="tabular-nums">{reportDeadlineText(until, useNow())}</span>;
}

export function ProblemList({ order }: { order: Order }) {
  return (
    <ul className="space-y-4">
      {order.problems.map((problem) => (
        <li key={problem._id}>
          <ProblemCard order={order} problem={problem} />
        </li>
      ))}
    </ul>
  );
}

function ProblemCard({ order, problem }: { order: Order; problem: Problem }) {
  const { pathname } = useLocation();
  const { label, tone } = problemWords(problem.state);
  const { replacementOrderId } = problem;
  return (
    <article aria-label={`Problem: ${label}`} className="rounded-md border border-line bg-raised p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-ink-soft">Reported {formatDateTime(problem.createdAt)}</p>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="mt-2 whitespace-pre-line [overflow-wrap:anywhere]">{problem.message}</p>
      <ul className="mt-2 text-[0.9375rem] text-ink-soft">
        {problem.lines.map((line) => (
          <li key={line.productId}>
            {productName(order, line.productId)}: {packsText(line)}
          </li>
        ))}
      </ul>
      {problem.images.length > 0 && (
        <div className="mt-3">
          <PhotoList images={problem.images} />
        </div>
      )}
      {problem.response && (
        <blockquote className="mt-4 border-l-4 border-turmeric pl-4">
          <p className="text-sm font-semibold text-ink-soft">We wrote</p>
          <p className="whitespace-pre-line [overflow-wrap:anywhere]">{problem.response}</p>
        </blockquote>
      )}
      <p className="mt-3 text-[0.9375rem]">
        {nextStepText(problem)}{' '}
        {replacementOrderId && (
          <Link to={`${pathname}?order=${encodeURIComponent(replacementOrderId)}`} className="link font-semibold">
            Order #{shortId(replacementOrderId)}
          </Link>
        )}
        {problem.state === 'declined' && <ContactWays />}
      </p>
    </article>
  );
}
