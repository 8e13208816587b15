// The link of an email to stop such emails. Opening it changes nothing: mail programs open links to check them.
import { useQuery } from '@tanstack/react-query';
import { Button, ButtonLink } from '~/ui/button';
import { ErrorState } from '~/ui/feedback/error-state';
import { requestedReviewsQuery, useStopRequests } from './review-queries';
import { Waiting } from './review-view';

export function StopView({ token }: { token: string }) {
  const { data, isPending, error, refetch } = useQuery(requestedReviewsQuery(token));
  const stop = useStopRequests(token);
  if (isPending) return <Waiting />;
  if (error) return <ErrorState message={error.message} onRetry={() => void refetch()} />;
  return (
    <div className="mx-auto max-w-xl rounded-xl border border-line bg-surface p-10 text-center shadow-card">
      {data.stopped ? (
        <p role="status" className="text-lg">
          We do not ask you for reviews any more. Emails about your orders still reach you.
        </p>
      ) : (
        <>
          <p className="text-lg">We ask once for each order, a week after its delivery. Shall we stop?</p>
          <Button size="lg" className="mt-6" busy={stop.isPending} onClick={() => stop.mutate()}>
            Do not ask me for reviews
          </Button>
          {stop.error && (
            <p role="alert" className="mt-3 font-semibold text-chilli">
              {stop.error.message}
            </p>
          )}
        </>
      )}
      <p className="mt-6">
        <ButtonLink variant="ghost" to="/">
          To the shop
        </ButtonLink>
      </p>
    </div>
  );
}
