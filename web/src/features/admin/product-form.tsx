// Adding or changing a product: the fields, the card it will be, and what happens when saving does not work. What is
// typed outlives a reload; what somebody else saved meanwhile is never overwritten unseen.
import { type FormEvent, useContext, useEffect, useRef, useState } from 'react';
import { ApiError, textOf } from '~/api/client';
import { useShop } from '~/api/shop';
import type { Product } from '~/api/types';
import { Button, ButtonLink } from '~/ui/button';
import { Icon } from '~/ui/icons';
import { ImageHosts } from '~/ui/image-hosts';
import { notify } from '~/ui/notify';
import { adminPath, useAdminAddress } from './address';
import { History } from './history';
import { savedImagesProblem } from './image-problem';
import { dropDraft, keepDraft, readDraft } from './product-draft';
import { ProductFields } from './product-fields';
import { ProductPreview } from './product-preview';
import { readProduct, useSaveProduct } from './product-queries';
import {
  bodyOf,
  COUNTS,
  checkProduct,
  type Faults,
  isSame,
  newValues,
  type ProductValues,
  rebase,
  refusedField,
  valuesOf,
} from './product-rules';
import { useUnsaved } from './unsaved';

type State = {
  /** The product as the program had it when this form last looked; `null` for a new one. */
  editing: Product | null;
  base: ProductValues;
  values: ProductValues;
  /** Fields that somebody else changed too. */
  both: string[];
  restored: boolean;
};

export function ProductForm({ product }: { product: Product | null }) {
  const { query, go } = useAdminAddress();
  const shop = useShop();
  const hosts = useContext(ImageHosts);
  const [state, setState] = useState<State>(() => {
    const image = query.get('image');
    return startFrom(product, product ? valuesOf(product) : newValues(shop, image ? [image] : []));
  });
  const { editing, base, values, both } = state;
  const [tried, setTried] = useState(0);
  const [refused, setRefused] = useState<Faults>({});
  const [refusals, setRefusals] = useState(0);
  const [stale, setStale] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const save = useSaveProduct(editing?._id);

  const isDirty = !isSame(values, base);
  useUnsaved(isDirty);
  useEffect(() => {
    if (isDirty) keepDraft(product?._id, { base, values });
    else dropDraft(product?._id);
  }, [isDirty, product?._id, base, values]);

  const faults = tried > 0 ? { ...checkProduct(values, editing), ...refused } : refused;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt and each refusal leads to its first fault, typing does not
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tried, refusals]);

  const listPlace = { search: query.get('search'), page: query.get('page') };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    setTried((times) => times + 1);
    setRefused({});
    setStale(false);
    if (Object.keys(checkProduct(values, editing)).length > 0) return;
    save.mutate(bodyOf(values, editing), {
      onSuccess: (saved) => {
        const problem = savedImagesProblem(saved.product.images, hosts);
        if (problem) notify.error(problem, { id: 'saved-images' });
        dropDraft(product?._id);
        go(listPlace);
      },
      onError: async (error) => {
        const field = refusedField(error.message);
        if (field) {
          setRefused({ [field]: error.message });
          setRefusals((times) => times + 1);
        }
        if (editing && error instanceof ApiError && error.status === 409) {
          const now = await readProduct(editing._id).catch(() => null);
          const isNewer = (one: Product) =>
            (['version', ...COUNTS] as const).some((name) => one[name] !== editing[name]);
          setStale(now !== null && isNewer(now));
        }
      },
    });
  };

  const takeNewest = async () => {
    if (!editing) return;
    try {
      const now = await readProduct(editing._id);
      const merged = rebase(base, values, valuesOf(now));
      setState({ editing: now, base: valuesOf(now), ...merged, restored: false });
      setStale(false);
      save.reset();
    } catch (error) {
      notify.error(textOf(error, 'Failed to fetch product'));
    }
  };

  const startOver = () => setState((now) => ({ ...now, values: now.base, both: [], restored: false }));
  const refusal = save.error && !refusedField(save.error.message) ? textOf(save.error, 'An error occurred') : '';
  return (
    <form ref={form} noValidate onSubmit={onSubmit} aria-labelledby="section-title" className="max-w-6xl">
      <h1 id="section-title" className="mb-4 text-heading">
        {product ? 'Edit Product' : 'Add New Product'}
      </h1>
      {state.restored && isDirty && (
        <Note>
          What you typed before and did not save is here again.
          <Button look="quiet" size="sm" onClick={startOver}>
            Start over
          </Button>
        </Note>
      )}
      {both.length > 0 && (
        <Note>
          Somebody else also changed {both.join(', ').replaceAll('_', ' ')}. Your version is shown; saving replaces
          theirs.
        </Note>
      )}
      <div className="gap-8 xl:grid xl:grid-cols-[minmax(0,1fr)_15rem]">
        <ProductFields
          values={values}
          editing={editing}
          faults={faults}
          onChange={(change) => {
            setRefused({});
            setState((now) => ({ ...now, values: change(now.values) }));
          }}
        />
        <div className="max-xl:mt-6">
          <div className="sticky top-6">
            <ProductPreview values={values} editing={editing} />
          </div>
        </div>
      </div>
      {editing && <History about={editing._id} className="mt-4" />}
      <div className="sticky bottom-0 z-10 -mx-4 mt-5 border-t border-line bg-paper/95 px-4 py-3 backdrop-blur md:-mx-6 md:px-6">
        <div role="alert" className="empty:hidden">
          {refusal && (
            <p className="mb-3 flex flex-wrap items-center gap-2.5 rounded-md bg-chilli-wash px-4 py-2 font-semibold text-chilli">
              <Icon name="alert" className="size-5 shrink-0" />
              {refusal}
              {stale && (
                <Button look="secondary" size="sm" onClick={() => void takeNewest()}>
                  Load the newest, keep my changes
                </Button>
              )}
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-end gap-3">
          {isDirty && <p className="mr-auto text-sm text-ink-soft">Not saved yet</p>}
          <ButtonLink look="quiet" to={adminPath('products', listPlace)}>
            Cancel
          </ButtonLink>
          <Button type="submit" busy={save.isPending}>
            {product ? 'Save product' : 'Add product'}
          </Button>
        </div>
      </div>
    </form>
  );
}

function startFrom(product: Product | null, base: ProductValues): State {
  const draft = readDraft(product?._id);
  if (!draft) return { editing: product, base, values: base, both: [], restored: false };
  return { editing: product, base, ...rebase(draft.base, draft.values, base), restored: true };
}

function Note({ children }: { children: React.ReactNode }) {
  return (
    <p
      role="status"
      className="mb-4 flex flex-wrap items-center gap-x-3 rounded-md border border-turmeric bg-turmeric-wash px-4 py-2"
    >
      {children}
    </p>
  );
}
