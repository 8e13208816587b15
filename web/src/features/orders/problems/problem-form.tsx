// The form for a problem with a parcel: which packs, what is wrong, photos.
import { useId } from 'react';
import type { Order } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { PackSteppers } from '~/shared/order/pack-steppers';
import { PhotosField } from '~/shared/photo/photos-field';
import { Button } from '~/ui/button';
import { Alert } from '~/ui/feedback/alert';
import { TextArea } from '~/ui/forms/field';
import { checkDraft, MAX_PHOTOS, NO_PROBLEM, PROBLEM_FIELDS } from './problem-draft';
import { useReportProblem } from './problem-queries';

type Props = { order: Order; onDone: () => void };

export default function ProblemForm({ order, onDone }: Props) {
  const { report, progress } = useReportProblem(order._id);
  const form = useForm({ initial: NO_PROBLEM, fields: PROBLEM_FIELDS, request: report, check: checkDraft });
  const { values, errors, isPending: busy } = form;
  const linesId = useId();
  const send = form.submit((draft) => report.mutate(draft, { onSuccess: onDone }));

  return (
    <form ref={form.ref} onSubmit={send} noValidate className="mt-4 space-y-6">
      <p className="text-ink-soft">
        We replace what is damaged or missing within 7 days, or refund it within{' '}
        <span className="whitespace-nowrap">3-5 days</span>.
      </p>
      <fieldset
        tabIndex={-1}
        disabled={busy}
        aria-describedby={errors.lines && linesId}
        data-invalid={errors.lines ? true : undefined}
        className="outline-none"
      >
        <legend className="mb-1.5 text-[0.9375rem] font-semibold">
          Which packs?{' '}
          <span className="text-chilli" aria-hidden="true">
            *
          </span>
        </legend>
        <PackSteppers
          items={order.items}
          chosen={values.packs}
          max={(item) => item.quantity}
          onChange={(packs) => {
            form.change({ packs });
            form.setErrors({ lines: '' });
          }}
        />
        {errors.lines && (
          <p id={linesId} className="mt-1.5 text-sm text-chilli">
            {errors.lines}
          </p>
        )}
      </fieldset>
      <TextArea
        {...form.field('message')}
        label="What is wrong?"
        required
        rows={4}
        disabled={busy}
        placeholder="Two pouches were torn at the seam."
      />
      <PhotosField
        photos={values.photos}
        max={MAX_PHOTOS}
        hint="They help us to decide quickly."
        disabled={busy}
        error={errors.images}
        onChange={(photos, images) => {
          form.change({ photos });
          form.setErrors({ images });
        }}
      />
      {form.error && <Alert>{form.error.message}</Alert>}
      {busy && <Progress part={progress} />}
      <Button type="submit" size="lg" busy={busy} className="w-full">
        {busy ? 'Sending...' : 'Send report'}
      </Button>
    </form>
  );
}

function Progress({ part }: { part: number }) {
  const percent = Math.round(part * 100);
  return (
    <div>
      <div
        role="progressbar"
        aria-label="Your report"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 overflow-hidden rounded-full bg-line"
      >
        <div className="h-full rounded-full bg-cardamom transition-[width]" style={{ width: `${percent}%` }} />
      </div>
      <p className="mt-1.5 text-sm text-ink-soft tabular-nums">
        {percent < 100 ? `${percent} % sent` : 'We are storing your photos...'}
      </p>
    </div>
  );
}
