// Stops the e-mails about products that are back: /stop-emails?token=…, the link in each of them. A button, because mail
// programs open links to check them.
import { useMutation } from '@tanstack/react-query';
import { post } from '~/api/client';
import { parseQuery } from '~/lib/router/query-string';
import { Link, useLocation } from '~/lib/router/router';
import { Button } from '~/ui/button';
import { Icon } from '~/ui/graphics/icons';
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
            <p className="flex max-w-xl items-center gap-2.5 rounded-md bg-cardamom-wash px-4 py-3 font-semibold text-cardamom">
              <Icon name="check" className="size-5 shrink-0" />
              You get no more of these e-mails.
            </p>
            <p className="mt-6">
              <Link to="/sub-products" className="link">
                See all masalas
              </Link>
            </p>
          </>
        ) : (
          <>
            {stop.isError && (
              <p className="mb-6 flex max-w-xl items-center gap-2.5 rounded-md bg-chilli-wash px-4 py-3 font-semibold text-chilli">
                <Icon name="alert" className="size-5 shrink-0" />
                {stop.error.message}
              </p>
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
