// The door of a page about one person: a moment while we ask who is here, then the page or the way in.
import type { ReactNode } from 'react';
import { useSession } from '~/api/session';
import { SignInFirst } from '~/ui/sign-in-first';
import { Loading, Skeleton } from '~/ui/states';

type Props = { invitation: string; hint: string; children: ReactNode };

export function SignedIn({ invitation, hint, children }: Props) {
  const { authenticated, checking } = useSession();
  if (checking) {
    return (
      <Loading text="Loading...">
        <Skeleton className="h-72 w-full !rounded-lg" />
      </Loading>
    );
  }
  return authenticated ? children : <SignInFirst text={invitation} hint={hint} />;
}
