// The contact form. Only the form of the email is checked, and any field may stay empty.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { post } from '~/api/client';
import { fieldOf } from '~/api/error';
import type { ContactMessage } from '~/api/types';
import { Button } from '~/ui/button';
import { Banner } from '~/ui/feedback/alert';
import { Field, TextArea } from '~/ui/forms/field';

const FIELDS = ['name', 'email', 'message'] as const;

export function ContactForm() {
  const form = useRef<HTMLFormElement>(null);
  const send = useMutation({
    mutationFn: (body: ContactMessage) => post('/api/api/queries', { body, fallback: 'The message was not accepted' }),
    onSuccess: () => form.current?.reset(),
  });

  const wrongField = fieldOf(send.error, FIELDS);
  const errorOf = (field: (typeof FIELDS)[number]) => (field === wrongField ? send.error?.message : undefined);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string) => String(data.get(name) ?? '');
    send.mutate({ name: text('name'), email: text('email'), message: text('message') });
  };

  return (
    <form
      ref={form}
      onSubmit={onSubmit}
      className="space-y-5 rounded-lg border border-line bg-surface p-6 shadow-card sm:p-9"
    >
      <h2 className="text-heading">Write to us</h2>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" name="name" autoComplete="name" error={errorOf('name')} />
        <Field label="Email" name="email" type="email" autoComplete="email" error={errorOf('email')} />
      </div>
      <TextArea label="Message" name="message" rows={6} error={errorOf('message')} />
      <Button type="submit" size="lg" busy={send.isPending} className="max-sm:w-full">
        Send message
      </Button>
      <div role="alert" className="empty:hidden">
        {send.isSuccess && <Banner kind="success">Your message has been sent successfully!</Banner>}
        {send.isError && <Banner kind="error">An error occurred. Please try again later.</Banner>}
      </div>
    </form>
  );
}
