// The door of the admin console. Its code and its data are fetched only once the program has said that an admin is
// here; everyone else sees a way to sign in.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { textOf } from '~/api/client';
import { userInfo, useSession } from '~/api/session';
import { Failure } from '~/ui/failure';
import { PageTitle } from '~/ui/page-title';
import { SignInFirst } from '~/ui/sign-in-first';
import { Loading, Skeleton } from '~/ui/states';

const Console = lazy(() => import('~/features/admin/console'));

export default function AdminPage() {
  const { authenticated, checking } = useSession();
  const info = useQuery({ ...userInfo, enabled: authenticated === true });

  if (checking || (authenticated && info.isPending)) return <Waiting />;
  if (authenticated && info.data?.role === 'admin') {
    return (
      <Suspense fallback={<Waiting />}>
        <Console user={info.data} />
      </Suspense>
    );
  }
  return (
    <div className="wrap min-h-dvh">
      <PageTitle title="Admin console" />
      {authenticated && info.isError ? (
        <Failure message={textOf(info.error, 'Failed to load your account')} onRetry={() => void info.refetch()} />
      ) : (
        <SignInFirst
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
    <div className="wrap min-h-dvh pt-10">
      <h1 className="sr-only">Admin console</h1>
      <Loading text="Loading...">
        <Skeleton className="h-96 w-full !rounded-lg" />
      </Loading>
    </div>
  );
}
