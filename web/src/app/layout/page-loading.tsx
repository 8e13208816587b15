// Shown while a page's code is loading.
import { Skeleton } from '~/ui/feedback/skeleton';

export function PageLoading() {
  return (
    <div className="page-width min-h-[70vh] py-16">
      <p role="status" className="sr-only">
        Loading...
      </p>
      <Skeleton className="h-10 w-64" />
      <Skeleton className="mt-8 h-72 w-full !rounded-lg" />
    </div>
  );
}
