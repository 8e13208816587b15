// The contact form. Only the form of the email is checked, and any field may stay empty.
import { useMutation } from '@tanstack/react-query';
import { post } from '~/api/client';
import type { ContactMessage } from '~/api/types';
import { textsOf, useForm } from '~/lib/form/use-form';
import { Button } from '~/ui/button';
import { Banner } from '~/ui/feedback/alert';
import { Field, TextArea } from '~/ui/forms/field';

const FIELDS = ['name', 'email', 'message'] as const;

export function ContactForm() {
  const request = useMutation({
    mutationFn: (body: ContactMessage) => post('/api/api/queries', { body, fallback: 'The message was not accepted' }),
  });
  const form = useForm({ initial: {}, fields: FIELDS, request });
  const send = form.submit(() =>
    request.mutate(textsOf(form.ref.current, FIELDS), { onSuccess: () => form.ref.current?.reset() }),
  );

  return (
    <form
      ref={form.ref}
      onSubmit={send}
      className="space-y-5 rounded-lg border border-line bg-surface p-6 shadow-card sm:p-9"
    >
      <h2 className="text-heading">Write to us</h2>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" name="name" autoComplete="name" error={form.errors.name} />
        <Field label="Email" name="email" type="email" autoComplete="email" error={form.errors.email} />
      </div>
      <TextArea label="Message" name="message" rows={6} error={form.errors.message} />
      <Button type="submit" size="lg" busy={form.isPending} className="max-sm:w-full">
        Send message
      </Button>
      <div role="alert" className="empty:hidden">
        {request.isSuccess && <Banner kind="success">Your message has been sent successfully!</Banner>}
        {request.isError && <Banner kind="error">An error occurred. Please try again later.</Banner>}
      </div>
    </form>
  );
}
