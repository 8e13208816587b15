// The overview before its figures are there.
import { Loading, Skeleton } from '~/ui/feedback/states';

export function OverviewLoading() {
  return (
    <Loading text="Loading the overview...">
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-5">
        {Array.from({ length: 10 }, (_, index) => (
          <Skeleton key={index} className="h-28 !rounded-lg" />
        ))}
      </div>
      <Skeleton className="mt-5 h-80 w-full !rounded-lg" />
    </Loading>
  );
}
