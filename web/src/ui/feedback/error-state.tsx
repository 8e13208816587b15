// An error in place of content, with a button to try again.
import { Button } from '../button';
import { Icon } from '../graphics/icons';

export function ErrorState({ message, onRetry }: { message: string; onRetry?: () => void }) {
  return (
    <div
      role="alert"
      className="mx-auto flex max-w-md flex-col items-center gap-4 rounded-lg border border-line bg-surface px-6 py-10 text-center"
    >
      <span className="grid size-12 place-items-center rounded-full bg-chilli-wash text-chilli">
        <Icon name="alert" />
      </span>
      <p className="text-lg font-semibold">{message}</p>
      {onRetry && (
        <Button variant="secondary" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
