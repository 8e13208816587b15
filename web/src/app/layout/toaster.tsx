// Toasts stand top-right. On the storefront they last as long as their kind says; in the admin area 3 s.
import { useToaster } from 'react-hot-toast/headless';
import { Spinner } from '~/ui/button';
import { Icon } from '~/ui/icons';

const ADMIN_MS = 3000;

export function Toaster({ admin }: { admin: boolean }) {
  const timed = { duration: ADMIN_MS };
  const { toasts, handlers } = useToaster(
    admin ? { ...timed, success: timed, error: timed, blank: timed, custom: timed } : undefined,
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses the clock; every toast reads itself out
    <div
      className="pointer-events-none fixed top-4 right-4 left-4 z-50 flex flex-col items-end gap-2 sm:left-auto"
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
    >
      {toasts.map((toast) => (
        <div
          key={toast.id}
          {...toast.ariaProps}
          className={`rise pointer-events-auto flex max-w-sm items-center gap-3 rounded-md bg-ink px-4 py-3 font-medium text-paper shadow-lift transition duration-200 ${toast.visible ? '' : 'translate-x-4 opacity-0'}`}
        >
          {toast.type === 'success' && <Mark colour="bg-cardamom-fill text-on-cardamom" icon="check" />}
          {toast.type === 'error' && <Mark colour="bg-chilli-fill text-on-chilli" icon="alert" />}
          {toast.type === 'loading' && <Spinner className="size-5" />}
          <span>{typeof toast.message === 'function' ? toast.message(toast) : toast.message}</span>
        </div>
      ))}
    </div>
  );
}

function Mark({ colour, icon }: { colour: string; icon: 'check' | 'alert' }) {
  return (
    <span className={`grid size-6 shrink-0 place-items-center rounded-full ${colour}`}>
      <Icon name={icon} className="size-4" />
    </span>
  );
}
