// Takes stock, receives or writes off, in a dialog.
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { hasCode } from '~/api/error';
import { keysByContent } from '~/api/idempotency-key';
import type { ProductStock } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { formatNumber } from '~/lib/format';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { Field, Select } from '~/ui/forms/field';
import { BatchFields } from './batch-fields';
import {
  AMOUNTS,
  batchInput,
  checkMovement,
  countedOf,
  MOVEMENT_FIELDS,
  type MovementDraft,
  type MovementKind,
  movementInput,
  newDraft,
} from './movement-draft';
import { stockQuery, useAddBatch, useMoveStock } from './stock-queries';
import { changeText, dayText, gramsText, minus } from './stock-words';

const titles: Record<MovementKind, string> = { count: 'Count', receive: 'Receive', writeOff: 'Write off' };
const actions: Record<MovementKind, string> = { count: 'Save count', receive: 'Receive', writeOff: 'Write off' };
const reasons: Record<MovementKind, string[]> = {
  count: ['Counted', 'Spilled', 'Weighed too generously', 'Found', 'Counted wrong before'],
  receive: ['Delivery', 'Ground today'],
  writeOff: ['Spilled', 'Damaged', 'Past its date', 'Sample', 'Own use'],
};
const labels = { grams: 'Grams of spice', pouches50g: '50 g pouches', pouches100g: '100 g pouches' };

type Props = {
  kind: MovementKind;
  stock: ProductStock;
  /** Which is written off. */
  batchId?: string;
  onClose: () => void;
};

export function MovementDialog({ moving, onClose }: { moving: Omit<Props, 'onClose'> | null; onClose: () => void }) {
  return (
    <Dialog
      open={moving !== null}
      onClose={onClose}
      title={moving ? `${titles[moving.kind]}: ${moving.stock.productName}` : ''}
      width="38rem"
    >
      {/* Mounted for each opening: with fields of its own and idempotency keys of its own. */}
      {moving && <MovementForm {...moving} onClose={onClose} />}
    </Dialog>
  );
}

function MovementForm({ kind, stock, batchId, onClose }: Props) {
  // The list goes on loading: a count is compared with what was there when it began.
  const [seen, setSeen] = useState(stock.inShop);
  const [keyOf] = useState(keysByContent);
  const suggestions = useId();
  const client = useQueryClient();
  const move = useMoveStock(stock.productId, keyOf);
  const addBatch = useAddBatch(keyOf);
  const form = useForm({
    initial: () => newDraft(kind, stock, batchId),
    fields: MOVEMENT_FIELDS,
    request: {
      error: move.error ?? addBatch.error,
      isPending: move.isPending || addBatch.isPending,
      reset: () => {
        move.reset();
        addBatch.reset();
      },
    },
    check: (draft) => checkMovement(kind, draft, seen),
    onChange: 'clear-all',
  });
  const { values: draft, errors, isPending: busy, change } = form;
  const isBatch = kind === 'receive' && draft.isBatch;
  const compareAgain = async (failure: unknown) => {
    if (!hasCode(failure, 'stock_changed')) return;
    const { products } = await client.fetchQuery({ ...stockQuery, staleTime: 0 });
    const now = products.find(({ productId }) => productId === stock.productId);
    if (now) setSeen(now.inShop);
  };
  const send = form.submit(() => {
    if (isBatch) addBatch.mutate(batchInput(stock.productId, draft), { onSuccess: onClose });
    else move.mutate(movementInput(kind, draft, seen), { onSuccess: onClose, onError: compareAgain });
  });

  return (
    <form ref={form.ref} onSubmit={send} noValidate className="mt-4 space-y-5">
      {kind === 'count' && (
        <p className="text-ink-soft">
          Count what lies in the shop, also what is sold but not packed. Customers may go on buying meanwhile: their
          packs stay in the shop until they are packed.
        </p>
      )}
      <fieldset disabled={busy} className="space-y-5">
        <div className="grid gap-4 sm:grid-cols-3">
          {AMOUNTS.filter((name) => name === 'grams' || !isBatch || !draft.inStock).map((name, at) => (
            <Field
              key={name}
              {...form.field(name)}
              label={labels[name]}
              inputMode="numeric"
              autoComplete="off"
              data-autofocus={at === 0 || undefined}
              hint={kind === 'count' ? `${formatNumber(seen[name])} expected` : undefined}
            />
          ))}
        </div>
        {kind === 'count' && <Difference draft={draft} seen={seen} />}
        {kind === 'writeOff' && stock.batches.length > 0 && (
          <Select {...form.field('batchId')} label="Batch">
            {stock.batches.map((batch) => (
              <option key={batch._id} value={batch._id}>
                {batch.number}, best before {dayText(batch.bestBefore)}: {gramsText(batch.leftGrams)} left
              </option>
            ))}
            <option value="">Without a batch: {gramsText(stock.gramsWithoutBatch)}</option>
          </Select>
        )}
        {kind === 'receive' && <BatchFields draft={draft} errors={errors} stock={stock} onChange={change} />}
        <Field
          {...form.field('note')}
          label="Reason"
          required={kind === 'writeOff'}
          maxLength={200}
          list={suggestions}
          autoComplete="off"
          hint={kind === 'receive' ? 'May be left empty' : undefined}
        />
        <datalist id={suggestions}>
          {reasons[kind].map((reason) => (
            <option key={reason} value={reason} />
          ))}
        </datalist>
      </fieldset>
      {form.error && <Alert>{form.error.message}</Alert>}
      <DialogActions>
        <Button variant="ghost" onClick={onClose}>
          Back
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? 'Saving...' : isBatch ? 'Record batch' : actions[kind]}
        </Button>
      </DialogActions>
    </form>
  );
}

/** What the count changes, while it is typed in. */
function Difference({ draft, seen }: { draft: MovementDraft; seen: ProductStock['inShop'] }) {
  if (AMOUNTS.every((name) => draft[name].trim() === '')) return null;
  return (
    <p aria-live="polite" className="rounded-md bg-paper-deep px-4 py-3 tabular-nums">
      <b className="font-semibold">Difference:</b> {changeText(minus(countedOf(draft, seen), seen))}
    </p>
  );
}
