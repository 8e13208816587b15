// The form for a new or an existing product: fields, a preview of the card, drafts and error handling. A draft survives a
// reload; changes that another admin saved meanwhile are never overwritten without notice.
import { useQueryClient } from '@tanstack/react-query';
import { useContext, useEffect, useState } from 'react';
import { errorMessage, hasCode } from '~/api/error';
import { useShop } from '~/api/queries/shop';
import type { Product } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { ImageHosts } from '~/shared/product/images/image-hosts';
import { Button, ButtonLink } from '~/ui/button';
import { Banner } from '~/ui/feedback/alert';
import { toast } from '~/ui/feedback/toast';
import { AuditLog } from '../../console/audit-log';
import { useUnsavedChanges } from '../../console/unsaved-changes';
import { adminPath, useAdminUrl } from '../../console/url-state';
import { savedImagesProblem } from '../images/image-problem';
import { fetchProduct, productsQuery, useSaveProduct } from '../product-queries';
import { deleteDraft, readDraft, saveDraft } from './product-draft';
import { ProductFields } from './product-fields';
import {
  COUNTS,
  checkProduct,
  isEqual,
  mergeEdits,
  newValues,
  type ProductValues,
  rejectedField,
  toFormValues,
  toRequest,
} from './product-form-model';
import { ProductPreview } from './product-preview';

type State = {
  /** The product as this form last loaded it; `null` for a new one. */
  editing: Product | null;
  base: ProductValues;
  /** Fields that another admin changed too. */
  conflicts: string[];
  restored: boolean;
};

export function ProductForm({ product }: { product: Product | null }) {
  const { query, go } = useAdminUrl();
  const shop = useShop();
  const hosts = useContext(ImageHosts);
  const [start] = useState(() => {
    const image = query.get('image');
    return startFrom(product, product ? toFormValues(product) : newValues(shop, image ? [image] : []));
  });
  const [state, setState] = useState<State>(start);
  const { editing, base, conflicts } = state;
  const [stale, setStale] = useState(false);
  const client = useQueryClient();
  const save = useSaveProduct(editing?._id);
  const form = useForm<ProductValues, string>({
    initial: start.values,
    fields: [],
    request: save,
    check: (values) => checkProduct(values, editing),
    onChange: 'check',
  });
  const { values } = form;

  const isDirty = !isEqual(values, base);
  useUnsavedChanges(isDirty);
  useEffect(() => {
    if (isDirty) saveDraft(product?._id, { base, values });
    else deleteDraft(product?._id);
  }, [isDirty, product?._id, base, values]);

  /** A new product is the last one of the catalogue. */
  const showAdded = async (id: string) => {
    const { pages } = await client.fetchQuery({ ...productsQuery('', 1), staleTime: 0 }).catch(() => ({ pages: 1 }));
    go({ page: pages > 1 ? String(pages) : undefined, added: id });
  };

  const listState = { search: query.get('search'), page: query.get('page') };
  const send = form.submit(() => {
    setStale(false);
    save.mutate(toRequest(values, editing), {
      onSuccess: (saved) => {
        const problem = savedImagesProblem(saved.product.images, hosts);
        if (problem) toast.error(problem, { id: 'saved-images' });
        deleteDraft(product?._id);
        if (product) go(listState);
        else void showAdded(saved.product._id);
      },
      onError: async (error) => {
        const field = rejectedField(error);
        if (field) form.showErrors({ [field]: error.message });
        if (editing && hasCode(error, 'product_changed', 'insufficient_stock')) {
          const now = await fetchProduct(editing._id).catch(() => null);
          const isNewer = (one: Product) =>
            (['version', ...COUNTS] as const).some((name) => one[name] !== editing[name]);
          setStale(now !== null && isNewer(now));
        }
      },
    });
  });

  const loadNewest = async () => {
    if (!editing) return;
    try {
      const now = await fetchProduct(editing._id);
      const newest = toFormValues(now);
      const merged = mergeEdits(base, values, newest);
      form.replace(() => merged.values);
      setState({ editing: now, base: newest, conflicts: merged.conflicts, restored: false });
      setStale(false);
      save.reset();
    } catch (error) {
      toast.error(errorMessage(error, 'Failed to fetch product'));
    }
  };

  const startOver = () => {
    form.replace(() => base);
    setState((now) => ({ ...now, conflicts: [], restored: false }));
  };
  const formError = save.error && !rejectedField(save.error) ? errorMessage(save.error, 'An error occurred') : '';
  return (
    <form ref={form.ref} noValidate onSubmit={send} aria-labelledby="section-title" className="max-w-6xl">
      <h1 id="section-title" className="mb-4 text-heading">
        {product ? 'Edit Product' : 'Add New Product'}
      </h1>
      {state.restored && isDirty && (
        <Note>
          What you typed before and did not save is here again.
          <Button variant="ghost" size="sm" onClick={startOver}>
            Start over
          </Button>
        </Note>
      )}
      {conflicts.length > 0 && (
        <Note>
          Somebody else also changed {conflicts.join(', ').replaceAll('_', ' ')}. Your version is shown; saving replaces
          theirs.
        </Note>
      )}
      <div className="gap-8 xl:grid xl:grid-cols-[minmax(0,1fr)_15rem]">
        <ProductFields values={values} editing={editing} errors={form.errors} onChange={form.replace} />
        <div className="max-xl:mt-6">
          <div className="sticky top-6">
            <ProductPreview values={values} editing={editing} />
          </div>
        </div>
      </div>
      {editing && <AuditLog about={editing._id} className="mt-4" />}
      {/* On a phone above the bar with the sections. */}
      <div
        data-foot
        className="sticky bottom-0 z-10 -mx-4 mt-5 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] border-t border-line bg-paper/95 px-4 py-3 backdrop-blur md:-mx-6 md:px-6"
      >
        <div role="alert" className="empty:hidden">
          {formError && (
            <Banner kind="error" className="mb-3 flex-wrap !py-2">
              {formError}
              {stale && (
                <Button variant="secondary" size="sm" onClick={() => void loadNewest()}>
                  Load the newest, keep my changes
                </Button>
              )}
            </Banner>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-end gap-3">
          {isDirty && <p className="mr-auto text-sm text-ink-soft">Not saved yet</p>}
          <ButtonLink variant="ghost" to={adminPath('products', listState)}>
            Cancel
          </ButtonLink>
          <Button type="submit" busy={form.isPending}>
            {product ? 'Save product' : 'Add product'}
          </Button>
        </div>
      </div>
    </form>
  );
}

function startFrom(product: Product | null, base: ProductValues): State & { values: ProductValues } {
  const draft = readDraft(product?._id);
  if (!draft) return { editing: product, base, values: base, conflicts: [], restored: false };
  return { editing: product, base, ...mergeEdits(draft.base, draft.values, base), restored: true };
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
