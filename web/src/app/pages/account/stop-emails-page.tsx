// Stops the e-mails about products that are back: /stop-emails?token=…, the link in each of them. A button, because mail
// programs open links to check them.
import { useMutation } from '@tanstack/react-query';
import { post } from '~/api/client';
import { parseQuery } from '~/lib/router/query-string';
import { Link, useLocation } from '~/lib/router/router';
import { Button } from '~/ui/button';
import { Banner } from '~/ui/feedback/alert';
import { PageTitle } from '~/ui/page-title';

export default function StopEmailsPage() {
  const token = parseQuery(useLocation().search).get('token');
  const stop = useMutation({
    mutationFn: () =>
      post('/api/stock-notices/stop', { body: { token }, fallback: 'That did not work. Please try again.' }),
  });
  return (
    <div className="page-width min-h-[60vh]">
      <PageTitle title="No more e-mails?">
        We write when a product that you asked for can be bought again. You can stop that here, for all products.
      </PageTitle>
      <div role="status">
        {stop.isSuccess ? (
          <>
            <Banner kind="success" className="max-w-xl">
              You get no more of these e-mails.
            </Banner>
            <p className="mt-6">
              <Link to="/sub-products" className="link">
                See all masalas
              </Link>
            </p>
          </>
        ) : (
          <>
            {stop.isError && (
              <Banner kind="error" className="mb-6 max-w-xl">
                {stop.error.message}
              </Banner>
            )}
            <Button size="lg" busy={stop.isPending} onClick={() => stop.mutate()}>
              Stop these e-mails
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
