// Export and deletion of the user's data, as the law requires.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import { useNavigate } from '~/lib/router/router';
import { useDeleteAccount } from '~/shared/auth/sign-out';
import { Button, buttonClass } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog/confirm-dialog';
import { toast } from '~/ui/feedback/toast';
import { Icon } from '~/ui/graphics/icons';

export function AccountData() {
  const [confirming, setConfirming] = useState(false);
  const navigate = useNavigate();
  const deleteAccount = useDeleteAccount();
  const mutation = useMutation({
    mutationFn: deleteAccount,
    onSuccess: () => {
      toast.success('Your account is deleted');
      void navigate('/');
    },
    onError: (error) => toast.error(errorMessage(error, 'Failed to delete your account')),
    onSettled: () => setConfirming(false),
  });
  return (
    <section className="mt-4 flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line px-6 py-5 sm:px-9">
      <div className="flex min-w-0 items-start gap-4">
        <Icon name="user" className="mt-0.5 size-7 shrink-0 text-cardamom" />
        <div>
          <h2 className="text-name">Your data is yours</h2>
          <p className="mt-0.5 text-ink-soft">Take a copy of all that we know of you, or have it deleted.</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-1 max-sm:-ml-2">
        <a href="/api/user/export" download className={buttonClass('ghost', 'md', '!whitespace-normal')}>
          Download my data
        </a>
        <Button variant="ghost" className="!whitespace-normal !text-chilli" onClick={() => setConfirming(true)}>
          Delete my account
        </Button>
      </div>
      <ConfirmDialog
        open={confirming}
        question="Delete your account for good?"
        hint="Your profile, addresses, cart and wishlist are erased at once. Orders are kept as the law asks, without your profile."
        action="Delete my account"
        busy={mutation.isPending}
        onClose={() => setConfirming(false)}
        onConfirm={() => mutation.mutate()}
      />
    </section>
  );
}
