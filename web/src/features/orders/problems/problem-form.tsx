// The form for a problem with a parcel: which packs, what is wrong, photos.
import { type FormEvent, useId, useRef, useState } from 'react';
import { fieldOf } from '~/api/error';
import type { Order } from '~/api/types';
import { PackSteppers } from '~/shared/order/pack-steppers';
import type { Packs } from '~/shared/order/packs';
import { PhotosField } from '~/shared/photo/photos-field';
import { Button } from '~/ui/button';
import { Alert } from '~/ui/feedback/alert';
import { TextArea } from '~/ui/forms/field';
import { checkDraft, MAX_PHOTOS, PROBLEM_FIELDS, type ProblemErrors } from './problem-draft';
import { useReportProblem } from './problem-queries';

type Props = { order: Order; onDone: () => void };

export default function ProblemForm({ order, onDone }: Props) {
  const [packs, setPacks] = useState<Record<string, Packs>>({});
  const [message, setMessage] = useState('');
  const [photos, setPhotos] = useState<readonly File[]>([]);
  const [checked, setChecked] = useState<ProblemErrors>({});
  const { report, progress } = useReportProblem(order._id);
  const form = useRef<HTMLFormElement>(null);
  const linesId = useId();
  const busy = report.isPending;

  const rejected = fieldOf(report.error, PROBLEM_FIELDS);
  const errors: ProblemErrors = { ...checked, ...(rejected && { [rejected]: report.error?.message }) };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = checkDraft({ packs, message });
    setChecked(found);
    report.reset();
    if (found.lines) form.current?.querySelector<HTMLElement>('fieldset')?.focus();
    else if (found.message) form.current?.querySelector('textarea')?.focus();
    else report.mutate({ packs, message, photos }, { onSuccess: onDone });
  };

  return (
    <form ref={form} onSubmit={onSubmit} noValidate className="mt-4 space-y-6">
      <p className="text-ink-soft">
        We replace what is damaged or missing within 7 days, or refund it within{' '}
        <span className="whitespace-nowrap">3-5 days</span>.
      </p>
      <fieldset tabIndex={-1} disabled={busy} aria-describedby={errors.lines && linesId} className="outline-none">
        <legend className="mb-1.5 text-[0.9375rem] font-semibold">
          Which packs?{' '}
          <span className="text-chilli" aria-hidden="true">
            *
          </span>
        </legend>
        <PackSteppers
          items={order.items}
          chosen={packs}
          max={(item) => item.quantity}
          onChange={(chosen) => {
            setPacks(chosen);
            setChecked(({ lines: _, ...rest }) => rest);
          }}
        />
        {errors.lines && (
          <p id={linesId} className="mt-1.5 text-sm text-chilli">
            {errors.lines}
          </p>
        )}
      </fieldset>
      <TextArea
        label="What is wrong?"
        required
        rows={4}
        value={message}
        disabled={busy}
        error={errors.message}
        placeholder="Two pouches were torn at the seam."
        onChange={(event) => {
          setMessage(event.target.value);
          setChecked(({ message: _, ...rest }) => rest);
        }}
      />
      <PhotosField
        photos={photos}
        max={MAX_PHOTOS}
        hint="They help us to decide quickly."
        disabled={busy}
        error={errors.images}
        onChange={(next, error) => {
          setPhotos(next);
          setChecked(({ images: _, ...rest }) => (error ? { ...rest, images: error } : rest));
        }}
      />
      {report.error && !rejected && <Alert>{report.error.message}</Alert>}
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
