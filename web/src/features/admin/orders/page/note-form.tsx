// Adds a note of staff to an order. Notes are shown in its history.
import { errorMessage } from '~/api/error';
import { useForm } from '~/lib/form/use-form';
import { Button } from '~/ui/button';
import { Alert } from '~/ui/feedback/alert';
import { TextArea } from '~/ui/forms/field';
import { useAddNote } from './order-page-queries';

const MAX_NOTE_CHARS = 2000;

export function NoteForm({ orderId }: { orderId: string }) {
  const request = useAddNote(orderId);
  const form = useForm({
    initial: { text: '' },
    fields: ['text'],
    request,
    check: ({ text }) => (text.trim() ? {} : { text: 'Write something first' }),
  });
  const add = form.submit(({ text }) => request.mutate(text.trim(), { onSuccess: () => form.change({ text: '' }) }));
  return (
    <section aria-label="Add a note" className="rounded-lg border border-line bg-surface p-5 shadow-card">
      <form ref={form.ref} onSubmit={add} noValidate className="space-y-3">
        <TextArea
          {...form.field('text')}
          label="Note"
          rows={3}
          maxLength={MAX_NOTE_CHARS}
          hint="Only staff see it, in the history. It cannot be changed later."
        />
        {form.error && <Alert>{errorMessage(form.error, 'Failed to add the note')}</Alert>}
        <Button type="submit" size="sm" variant="secondary" busy={form.isPending}>
          Add the note
        </Button>
      </form>
    </section>
  );
}
