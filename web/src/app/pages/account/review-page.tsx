// Writing a review, and stopping the emails that ask for one.
import { parseStars } from '~/features/reviews/review-draft';
import { ReviewView, Waiting } from '~/features/reviews/review-view';
import { StopView } from '~/features/reviews/stop-view';
import { parseQuery } from '~/lib/router/query-string';
import { useLocation } from '~/lib/router/router';
import { useSession } from '~/shared/auth/session';
import { PageTitle } from '~/ui/page-title';

export default function ReviewPage() {
  const query = parseQuery(useLocation().search);
  // The server renders one page for all links; what is in the link is shown after hydration.
  const { checking } = useSession();
  const token = query.get('token');
  const isStop = !checking && token !== '' && query.get('stop') !== '';
  return (
    <div className="page-width min-h-[60vh] pb-16">
      <PageTitle title={isStop ? 'Emails about reviews' : 'Your review'} />
      {checking ? (
        <Waiting />
      ) : isStop ? (
        <StopView token={token} />
      ) : (
        <ReviewView token={token} product={query.get('product')} stars={parseStars(query.get('stars'))} />
      )}
    </div>
  );
}
