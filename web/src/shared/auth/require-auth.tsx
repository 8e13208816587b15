// Shows its children to signed-in users and a sign-in prompt to visitors; a skeleton until that is known.
import type { ReactNode } from 'react';
import { Loading, Skeleton } from '~/ui/feedback/states';
import { useSession } from './session';
import { SignInPrompt } from './sign-in-prompt';

type Props = { title: string; hint: string; children: ReactNode };

export function RequireAuth({ title, hint, children }: Props) {
  const { authenticated, checking } = useSession();
  if (checking) {
    return (
      <Loading text="Loading...">
        <Skeleton className="h-72 w-full !rounded-lg" />
      </Loading>
    );
  }
  return authenticated ? children : <SignInPrompt text={title} hint={hint} />;
}
