// Loads the product for the form, if it is an existing one.
import { useQuery } from '@tanstack/react-query';
import { errorMessage, hasCode } from '~/api/error';
import { Spinner } from '~/ui/button';
import { ErrorState } from '~/ui/feedback/error-state';
import { EmptyState } from '~/ui/feedback/states';
import { adminPath } from '../../console/url-state';
import { productEditQuery } from '../product-queries';
import { ProductForm } from './product-form';

export function ProductFormView({ id }: { id: string | undefined }) {
  return id ? <EditProduct id={id} /> : <ProductForm product={null} />;
}

function EditProduct({ id }: { id: string }) {
  const { data, error, isError, isPending, isFetching, refetch } = useQuery({
    ...productEditQuery(id),
    refetchOnMount: false,
  });
  if (isPending || (isFetching && !data)) {
    return (
      <p role="status" className="flex justify-center py-20 text-ink-soft">
        <Spinner className="size-9" />
        <span className="sr-only">Loading...</span>
      </p>
    );
  }
  if (hasCode(error, 'product_not_found')) {
    return <EmptyState text="Product not found." action={{ to: adminPath('products'), label: 'All products' }} />;
  }
  if (isError) {
    return <ErrorState message={errorMessage(error, 'Failed to fetch product')} onRetry={() => void refetch()} />;
  }
  return <ProductForm product={data} />;
}
