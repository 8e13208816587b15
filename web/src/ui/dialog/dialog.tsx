// Modal dialogs and side sheets on the browser's own <dialog>: it traps focus, restores it, closes on Escape, and makes
// the rest of the page inert. We add the backdrop click, Back and the closing animation.
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useBackCloses } from '~/lib/router/layers';
import { IconButton } from '../button';
import { Icon } from '../graphics/icons';
import { addModal, removeModal } from './modal-stack';

type Props = {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Shown to screen readers only, where the dialog's own content is the title. */
  hideTitle?: boolean;
  centred?: boolean;
};

/** `inUrl`: the URL says that it is open, so it has an entry of the history already. */
export function Dialog({ width, inUrl = false, ...props }: Props & { width?: string; inUrl?: boolean }) {
  const { ref, titleId, handlers } = useModal(props.open, props.onClose, inUrl);
  return (
    <dialog
      ref={ref}
      className="modal"
      aria-labelledby={titleId}
      style={width ? ({ '--modal-width': width } as React.CSSProperties) : undefined}
      {...handlers}
    >
      {props.open && (
        <div className="flex max-h-[calc(100dvh-2rem)] flex-col [timeline-scope:--dialog]">
          <div
            data-head
            className={`modal-head relative z-20 flex items-start justify-between gap-3 px-6 pt-4 pb-1 sm:px-8 sm:pt-6 ${props.hideTitle ? '-mb-12' : ''}`}
          >
            <h2
              id={titleId}
              className={
                props.hideTitle
                  ? 'sr-only'
                  : `min-w-0 pt-2 text-heading ${props.centred ? 'grow pl-11 text-center' : ''}`
              }
            >
              {props.title}
            </h2>
            <IconButton label="Close" onClick={props.onClose} className="-mr-2.5 ml-auto bg-surface">
              <Icon name="close" />
            </IconButton>
          </div>
          <div className="min-h-0 overflow-y-auto overscroll-contain px-6 pb-6 [scroll-timeline:--dialog] sm:px-8 sm:pb-8">
            {props.children}
          </div>
        </div>
      )}
    </dialog>
  );
}

/** The buttons at the foot of a dialog. On a phone they fill the width. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-7 flex flex-wrap justify-end gap-3 max-sm:[&>*]:grow">{children}</div>;
}

type SheetProps = Props & { side?: 'left' | 'right' | 'bottom'; footer?: ReactNode };

export function Sheet({ side = 'right', footer, ...props }: SheetProps) {
  const { ref, titleId, handlers } = useModal(props.open, props.onClose);
  return (
    <dialog ref={ref} className="sheet" data-side={side} aria-labelledby={titleId} {...handlers}>
      <div className="flex h-full max-h-[inherit] flex-col">
        <div data-head className="flex items-center justify-between gap-3 border-b border-line px-5 py-3">
          <h2 id={titleId} className="text-heading">
            {props.title}
          </h2>
          <IconButton label="Close" onClick={props.onClose}>
            <Icon name="close" />
          </IconButton>
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-5">{props.children}</div>
        {footer && (
          <div data-foot className="border-t border-line bg-raised px-5 py-5">
            {footer}
          </div>
        )}
      </div>
    </dialog>
  );
}

export function useModal(open: boolean, onClose: () => void, inUrl = false) {
  const ref = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  const titleId = useId();
  useBackCloses(open && !inUrl, onClose);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (!open) {
      if (dialog.open) dialog.close();
      return;
    }
    if (!dialog.open) {
      dialog.showModal();
      // React's autoFocus comes too early: a closed dialog cannot have the focus.
      dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    }
    addModal(dialog);
    return () => removeModal(dialog);
  }, [open]);
  const handlers = {
    // React also reports the closing of a dialog inside this one.
    onClose: ({ target, currentTarget }: React.SyntheticEvent) => {
      if (target === currentTarget) onClose();
    },
    onPointerDown: (event: React.PointerEvent<HTMLDialogElement>) => {
      pressedOutside.current = isOnBackdrop(event);
    },
    onClick: (event: React.MouseEvent<HTMLDialogElement>) => {
      // A press that began inside, such as a selection of text in a field, may end anywhere without closing anything.
      if (pressedOutside.current && isOnBackdrop(event)) onClose();
    },
  };
  return { ref, titleId, handlers };
}

/** The backdrop belongs to the dialog element, and so does a click that began and ended on different children. */
function isOnBackdrop({ target, currentTarget, clientX, clientY }: React.MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return target === currentTarget && (clientX < left || clientX > right || clientY < top || clientY > bottom);
}
