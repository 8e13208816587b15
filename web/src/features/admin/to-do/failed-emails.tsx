// Emails that could not be sent. The server still tries, once an hour.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { errorMessage } from '~/api/error';
import { formatDateTimeIst, plural } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId } from '~/shared/order/order-status';
import { ErrorState } from '~/ui/feedback/error-state';
import { adminPath } from '../console/url-state';
import { failedEmailsQuery } from './to-do-queries';

export function FailedEmails() {
  const { data: emails, error, isError, refetch } = useQuery(failedEmailsQuery);
  const ref = useRef<HTMLElement>(null);
  const isLoaded = emails !== undefined;
  useEffect(() => {
    if (isLoaded) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isLoaded]);
  return (
    <section ref={ref} aria-labelledby="failed-emails">
      <h2 id="failed-emails" className="text-xl">
        Emails that were not delivered
      </h2>
      {isError ? (
        <div className="mt-3">
          <ErrorState message={errorMessage(error, 'Failed to fetch emails')} onRetry={() => void refetch()} />
        </div>
      ) : (
        <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
          {emails?.map((email) => (
            <li key={email._id} className="px-5 py-3">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <span className="font-semibold break-all">{email.recipient}</span>
                <span className="text-sm text-ink-soft tabular-nums">{formatDateTimeIst(email.createdAt)}</span>
              </p>
              <p>{email.subject}</p>
              <p className="mt-1 text-sm break-words text-chilli">{email.error}</p>
              <p className="mt-1 flex flex-wrap items-center gap-x-4 text-sm text-ink-soft tabular-nums">
                {plural(email.attempts, 'attempt')}, the next {formatDateTimeIst(email.nextAttemptAt)}
                {email.orderId && (
                  <Link
                    to={adminPath('orders', { orderId: email.orderId })}
                    className="inline-flex min-h-11 items-center font-semibold text-chilli underline"
                  >
                    Order {shortId(email.orderId)}
                  </Link>
                )}
              </p>
            </li>
          ))}
          {emails?.length === 0 && <li className="px-5 py-6 text-center text-ink-soft">All emails were delivered.</li>}
        </ul>
      )}
    </section>
  );
}
