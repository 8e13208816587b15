// The admin page. The code of the admin area is loaded only after the server has confirmed that the user is an admin; all
// others see a sign-in prompt.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { errorMessage } from '~/api/error';
import { loadStyles } from '~/lib/load-styles';
import { authStatusQuery, currentUserQuery, useSession } from '~/shared/auth/session';
import { SignInPrompt } from '~/shared/auth/sign-in-prompt';
import { ErrorState } from '~/ui/feedback/error-state';
import { Loading, Skeleton } from '~/ui/feedback/states';
import { PageTitle } from '~/ui/page-title';
import adminStyles from '~/ui/styles/admin.css?url';

const Console = lazy(async () => {
  const [layout] = await Promise.all([import('~/features/admin/layout/admin-layout'), loadStyles(adminStyles)]);
  return layout;
});

export default function AdminPage() {
  const { authenticated, checking } = useSession();
  const client = useQueryClient();
  const info = useQuery({ ...currentUserQuery, enabled: authenticated === true });

  if (checking || (authenticated && info.isPending)) return <Waiting />;
  // Also while a later check of the session gets no answer: forms keep what was typed. After a sign-out there is no data.
  if (authenticated !== false && info.data?.role === 'admin') {
    return (
      <Suspense fallback={<Waiting />}>
        <Console user={info.data} />
      </Suspense>
    );
  }
  return (
    <div className="page-width min-h-dvh">
      <PageTitle title="Admin console" />
      {authenticated === null ? (
        <ErrorState
          message="Failed to check sign-in"
          onRetry={() => void client.refetchQueries({ queryKey: authStatusQuery.queryKey })}
        />
      ) : authenticated && info.isError ? (
        <ErrorState
          message={errorMessage(info.error, 'Failed to load your account')}
          onRetry={() => void info.refetch()}
        />
      ) : (
        <SignInPrompt
          text="For those who run the shop"
          hint={
            info.data && authenticated
              ? `${info.data.email} is no admin of this shop. Sign in with an account that is.`
              : 'Sign in with an admin account to manage products and orders.'
          }
        />
      )}
    </div>
  );
}

function Waiting() {
  return (
    <div className="page-width min-h-dvh pt-10">
      <h1 className="sr-only">Admin console</h1>
      <Loading text="Loading...">
        <Skeleton className="h-96 w-full !rounded-lg" />
      </Loading>
    </div>
  );
}
