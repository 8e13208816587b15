// The products section: drop zone for images, link to a new product, and a tile for each product, searched and paged by
// the server. The URL decides whether the list or the form is shown.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { errorMessage } from '~/api/error';
import type { Product } from '~/api/types';
import { plural } from '~/lib/format';
import { parseQuery } from '~/lib/router/query-string';
import { anyText, oneOf, pageNumber, urlFilter } from '~/lib/router/url-filter';
import { useUrlText } from '~/lib/router/url-text';
import { Button, ButtonLink, Spinner } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog/confirm-dialog';
import { ErrorState } from '~/ui/feedback/error-state';
import { toast } from '~/ui/feedback/toast';
import { Field } from '~/ui/forms/field';
import { Icon } from '~/ui/graphics/more-icons';
import { AdminSection } from '../console/admin-section';
import { Pagination } from '../console/pagination';
import { adminPath, type UrlValues, useAdminUrl } from '../console/url-state';
import { ProductFileDialog } from './file/product-file-dialog';
import { ProductFormView } from './form/product-form-view';
import { ProductGrid } from './grid/product-grid';
import { DropZone } from './images/drop-zone';
import { UploadList } from './images/upload-list';
import { uploadFiles } from './images/uploads';
import { productsQuery, useDeleteProduct } from './product-queries';
import { ProductTile } from './product-tile';

/** `added`: the product that was just added. */
const productsUrl = urlFilter({ search: anyText, page: pageNumber, view: oneOf(['grid'], ''), added: anyText });

export function ProductsSection() {
  const { query } = useAdminUrl();
  const product = query.get('product');
  if (product) return <ProductFormView key={product} id={product === 'new' ? undefined : product} />;
  return <ProductList />;
}

function ProductList() {
  const { query, go } = useAdminUrl();
  const { search, page, view, added } = productsUrl.read(query);
  const searchNow = () => productsUrl.read(parseQuery(window.location.search)).search;
  const pathWith = (values: UrlValues) => adminPath('products', { ...productsUrl.write({ search, page }), ...values });
  const [isFileOpen, setFileOpen] = useState(false);
  const list = useQuery(productsQuery(search, page));
  const typed = useUrlText(search, searchNow, (text) => go({ search: text, view }, { replace: true }));
  const pages = Math.max(1, list.data?.pages ?? 1);
  const toPage = (next: number, how?: { replace?: boolean }) =>
    go(productsUrl.write({ search: searchNow(), view, page: next }), how);

  useEffect(() => {
    if (list.isError) toast.error('Failed to fetch products', { id: 'admin-products' });
  }, [list.isError]);

  const isBeyond = list.isSuccess && !list.isPlaceholderData && page > pages;
  const goBack = useEffectEvent(() => toPage(pages, { replace: true }));
  useEffect(() => {
    if (isBeyond) goBack();
  }, [isBeyond]);

  return (
    <AdminSection
      title="Products"
      count={list.data && plural(list.data.total, 'product')}
      actions={
        <div className="ml-auto flex flex-wrap gap-2">
          <ButtonLink variant="ghost" size="sm" to={pathWith({ view: view ? undefined : 'grid' })}>
            {view ? 'Show tiles' : 'Edit many'}
          </ButtonLink>
          <Button variant="ghost" size="sm" onClick={() => setFileOpen(true)}>
            Import or export
          </Button>
          <ButtonLink to={pathWith({ product: 'new' })} size="sm">
            <Icon name="plus" className="size-5" />
            Add New Product
          </ButtonLink>
        </div>
      }
    >
      <ProductFileDialog open={isFileOpen} onClose={() => setFileOpen(false)} />
      <div className={view ? 'hidden' : 'mt-4'}>
        <DropZone onFiles={(files) => void uploadFiles(files)} compact />
        <UploadList />
      </div>
      <search className="mt-5 block max-w-md" aria-label="Find products">
        <Field label="Search" type="search" placeholder="Name, category or id" autoComplete="off" {...typed} />
      </search>
      <div className="mt-5">
        {list.isPending ? (
          <p role="status" className="flex justify-center py-20 text-ink-soft">
            <Spinner className="size-9" />
            <span className="sr-only">Loading products...</span>
          </p>
        ) : list.isError && !list.data ? (
          <ErrorState
            message={errorMessage(list.error, 'Failed to fetch products')}
            onRetry={() => void list.refetch()}
          />
        ) : list.data.products.length === 0 ? (
          <NoProducts searched={search !== ''} onReset={() => go({ view })} />
        ) : (
          <div aria-busy={list.isPlaceholderData} className={list.isPlaceholderData ? 'opacity-60 transition' : ''}>
            {view ? (
              <ProductGrid products={list.data.products} />
            ) : (
              <Tiles products={list.data.products} added={added} />
            )}
            {pages > 1 && (
              <Pagination label="Pages of products" page={Math.min(page, pages)} pages={pages} onPage={toPage} />
            )}
          </div>
        )}
      </div>
    </AdminSection>
  );
}

function Tiles({ products, added }: { products: Product[]; added: string }) {
  const remove = useDeleteProduct();
  const [deleting, setDeleting] = useState<Product | null>(null);
  return (
    <>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:gap-4">
        {products.map((product) => (
          <li key={product._id}>
            <ProductTile product={product} isAdded={product._id === added} onDelete={() => setDeleting(product)} />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={deleting !== null}
        question="Are you sure you want to delete this product?"
        hint={deleting ? `${deleting.product_name} leaves the shop at once. Orders keep what was bought.` : ''}
        action="Delete"
        busy={remove.isPending}
        onClose={() => setDeleting(null)}
        onConfirm={() => deleting && remove.mutate(deleting._id, { onSettled: () => setDeleting(null) })}
      />
    </>
  );
}

function NoProducts({ searched, onReset }: { searched: boolean; onReset: () => void }) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
      <p role="status" className="text-lg">
        {searched ? 'No products found.' : 'No products found. Add your first product!'}
      </p>
      {searched && (
        <Button variant="ghost" className="mt-3" onClick={onReset}>
          Show all products
        </Button>
      )}
    </div>
  );
}
