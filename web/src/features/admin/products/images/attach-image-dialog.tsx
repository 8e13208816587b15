// Adds an uploaded image to a product that is searched by name.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { errorMessage } from '~/api/error';
import { Spinner } from '~/ui/button';
import { Dialog } from '~/ui/dialog/dialog';
import { toast } from '~/ui/feedback/toast';
import { Field } from '~/ui/forms/field';
import { toFormValues, toRequest } from '../form/product-form-model';
import { fetchProduct, productsQuery, saveProduct, useInvalidateProducts } from '../product-queries';

const SHOWN = 8;

export function AttachImageDialog({ file, onClose }: { file: string; onClose: () => void }) {
  return (
    <Dialog open={file !== ''} onClose={onClose} title="Attach to a product" width="30rem">
      <ProductPicker file={file} onDone={onClose} />
    </Dialog>
  );
}

function ProductPicker({ file, onDone }: { file: string; onDone: () => void }) {
  const [search, setSearch] = useState('');
  const query = useDeferredValue(search.trim());
  const list = useQuery(productsQuery(query, 1, SHOWN));
  const invalidate = useInvalidateProducts();
  const attach = useMutation({
    mutationFn: async (id: string) => {
      // The current product, so that nothing is overwritten and the version is the newest.
      const product = await fetchProduct(id);
      const values = toFormValues(product);
      return saveProduct(id, toRequest({ ...values, images: [...values.images, file] }, product));
    },
    onSuccess: () => {
      toast.success('Product updated successfully!');
      void invalidate();
      onDone();
    },
    onError: (error) => toast.error(errorMessage(error, 'An error occurred')),
  });
  return (
    <div className="mt-4">
      <p className="mb-4 break-all text-ink-soft">{file}</p>
      <Field label="Product" value={search} placeholder="Search by name" onChange={(e) => setSearch(e.target.value)} />
      <ul className="mt-3 min-h-40">
        {list.data?.products.map((product) => (
          <li key={product._id}>
            <button
              type="button"
              disabled={attach.isPending}
              onClick={() => attach.mutate(product._id)}
              className="flex min-h-11 w-full items-center gap-2 rounded-md px-3 text-left transition hover:bg-paper-deep"
            >
              {attach.isPending && attach.variables === product._id && <Spinner />}
              {product.product_name}
            </button>
          </li>
        ))}
        {list.data?.products.length === 0 && <li className="px-3 py-2 text-ink-soft">No products found.</li>}
        {list.isError && (
          <li className="px-3 py-2 text-chilli">{errorMessage(list.error, 'Failed to fetch products')}</li>
        )}
      </ul>
    </div>
  );
}
