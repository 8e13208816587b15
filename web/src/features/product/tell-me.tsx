// 'Tell me' on a sold-out product: an e-mail when a pack can be bought again. A signed-in customer needs no form.
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { post } from '~/api/client';
import type { Product } from '~/api/types';
import { textsOf, useForm } from '~/lib/form/use-form';
import { useSession } from '~/shared/auth/session';
import { Button } from '~/ui/button';
import { Banner } from '~/ui/feedback/alert';
import { Field } from '~/ui/forms/field';
import { Icon } from '~/ui/graphics/more-icons';

const FIELDS = ['email'] as const;
const ID = 'tell-me';

/** For a button elsewhere on the page. */
export function goToTellMe() {
  const section = document.getElementById(ID);
  section?.scrollIntoView({ block: 'center' });
  section?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true });
}

export function TellMe({ product }: { product: Product }) {
  const { authenticated, user } = useSession();
  const titleId = useId();
  const request = useMutation({
    mutationFn: (email: string) =>
      post('/api/products/{id}/notify', {
        path: { id: product._id },
        body: { email },
        fallback: 'That did not work. Please try again.',
      }),
  });
  const form = useForm({ initial: {}, fields: FIELDS, request });
  const send = form.submit(() => request.mutate(textsOf(form.ref.current, FIELDS).email));

  return (
    <section id={ID} aria-labelledby={titleId} className="rounded-lg border border-line bg-surface p-5">
      <h2 id={titleId} className="flex items-center gap-3 text-[1.0625rem] font-semibold">
        <Icon name="mail" className="size-6 shrink-0 text-cardamom" />
        Sold out. Shall we tell you when it is back?
      </h2>
      <p className="mt-2 text-[0.9375rem] text-ink-soft">
        {user
          ? `One e-mail to ${user.email} when a pack can be bought again.`
          : 'One e-mail when a pack can be bought again, and nothing else.'}
      </p>
      {request.isSuccess ? null : (
        <form ref={form.ref} onSubmit={send} className="mt-4 flex flex-wrap items-end gap-3">
          {authenticated ? null : (
            <Field
              label="E-mail"
              name="email"
              type="email"
              required
              autoComplete="email"
              inputMode="email"
              error={form.errors.email}
              className="min-w-[min(14rem,100%)] flex-1"
            />
          )}
          <Button type="submit" busy={form.isPending}>
            Tell me
          </Button>
        </form>
      )}
      <div role="status" className="empty:hidden">
        {request.isSuccess && (
          <Banner kind="success" className="mt-4">
            We will write to you when it can be bought again.
          </Banner>
        )}
        {form.error && (
          <Banner kind="error" className="mt-4">
            {form.error.message}
          </Banner>
        )}
      </div>
    </section>
  );
}
