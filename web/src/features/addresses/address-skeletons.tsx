// Placeholders of address cards while they are loading.
import { Loading, Skeleton } from '~/ui/feedback/states';

export function AddressSkeletons({ className }: { className: string }) {
  return (
    <Loading text="Loading addresses...">
      <div className={className}>
        <Skeleton className="h-48 !rounded-lg" />
        <Skeleton className="h-48 !rounded-lg" />
      </div>
    </Loading>
  );
}
