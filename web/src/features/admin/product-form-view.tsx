// The form's frame: a new product at once, an existing one as soon as the program has said how it is now.
import { useQuery } from '@tanstack/react-query';
import { textOf } from '~/api/client';
import { Spinner } from '~/ui/button';
import { Failure } from '~/ui/failure';
import { ProductForm } from './product-form';
import { freshProduct } from './product-queries';

export function ProductFormView({ id }: { id: string | undefined }) {
  return id ? <EditProduct id={id} /> : <ProductForm product={null} />;
}

function EditProduct({ id }: { id: string }) {
  const { data, error, isError, isPending, isFetching, refetch } = useQuery({
    ...freshProduct(id),
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
  if (isError) {
    return <Failure message={textOf(error, 'Failed to fetch product')} onRetry={() => void refetch()} />;
  }
  return <ProductForm product={data} />;
}
