// Ending all sessions at once, for a lost phone or a shared computer.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import { useNavigate } from '~/lib/router/router';
import { useSignOutEverywhere } from '~/shared/auth/sign-out';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog/confirm-dialog';
import { toast } from '~/ui/feedback/toast';
import { Icon } from '~/ui/graphics/more-icons';

export function SignOutEverywhere() {
  const [confirming, setConfirming] = useState(false);
  const navigate = useNavigate();
  const signOut = useSignOutEverywhere();
  const mutation = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      toast.success('Signed out everywhere');
      void navigate('/');
    },
    onError: (error) => toast.error(errorMessage(error, 'Failed to sign out everywhere')),
  });
  return (
    <section className="mt-6 flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line px-6 py-5 sm:px-9">
      <div className="flex min-w-0 items-start gap-4">
        <Icon name="shield" className="mt-0.5 size-7 shrink-0 text-cardamom" />
        <div>
          <h2 className="text-name">Lost a phone, or used a shared computer?</h2>
          <p className="mt-0.5 text-ink-soft">End your sessions on every device, this one too.</p>
        </div>
      </div>
      <Button
        variant="ghost"
        className="!whitespace-normal !text-chilli max-sm:-ml-2"
        onClick={() => setConfirming(true)}
      >
        Sign out everywhere
      </Button>
      <ConfirmDialog
        open={confirming}
        question="Sign out on every device?"
        hint="You can sign in again at any time; your cart, addresses and orders stay."
        action="Sign out everywhere"
        busy={mutation.isPending}
        onClose={() => setConfirming(false)}
        onConfirm={() => mutation.mutate()}
      />
    </section>
  );
}
