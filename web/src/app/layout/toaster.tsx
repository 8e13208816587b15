// Toasts are shown top right, above everything. On the storefront their kind decides how long; in the admin area
// 3 s.
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Spinner } from '~/ui/button';
import { useTopModal } from '~/ui/dialog/modal-stack';
import { setToasts, TOAST_MS, type Toast, toast, useToasts } from '~/ui/feedback/toast';
import { Icon } from '~/ui/graphics/more-icons';
import { type Box, placeToasts, type Surroundings } from './toast-place';

const ADMIN_MS = 3000;
const FADE_MS = 200;
/** A pointer on a toast stops the clock for as long as it takes to read one, not for as long as it rests there. */
const MAX_PAUSE_MS = 5000;
const CONTROLS = 'a[href], button, input, select, textarea, summary';

export function Toaster({ admin }: { admin: boolean }) {
  const toasts = useToasts();
  const handlers = useExpiry(toasts, admin);
  const ids = toasts.map(({ id }) => id).join();
  const pauseProps = usePause(handlers, ids === '');
  return (
    <TopLayer ids={ids}>
      <div className="flex flex-col items-end gap-2 print:hidden" {...pauseProps}>
        {toasts.map((item) => (
          <div
            key={item.id}
            // On a phone one at a time: the newest.
            className={`animate-rise flex max-w-sm max-sm:not-first:hidden items-center gap-3 rounded-md bg-ink py-1 pr-1 pl-4 font-medium text-paper shadow-lift transition duration-200 ${item.visible ? 'pointer-events-auto' : 'translate-x-4 opacity-0'}`}
          >
            {item.type === 'success' && <Mark colour="bg-cardamom-fill text-on-cardamom" icon="check" />}
            {item.type === 'error' && <Mark colour="bg-chilli-fill text-on-chilli" icon="alert" />}
            {item.type === 'loading' && <Spinner className="size-5 shrink-0" />}
            <span role="status" aria-live="polite" className="py-2">
              {item.message}
            </span>
            <button
              type="button"
              aria-label="Dismiss"
              onClick={() => toast.dismiss(item.id)}
              className="grid size-11 shrink-0 place-items-center rounded-sm opacity-80 transition hover:bg-paper/15 hover:opacity-100"
            >
              <Icon name="close" className="size-5" />
            </button>
          </div>
        ))}
      </div>
    </TopLayer>
  );
}

/** Dismisses each toast when its time is over, and removes it when it has faded out. */
function useExpiry(toasts: readonly Toast[], admin: boolean) {
  const [pausedAt, setPausedAt] = useState<number>();
  useEffect(() => {
    if (pausedAt !== undefined) return;
    const now = Date.now();
    const timers = toasts.map(({ id, type, visible, createdAt, pausedMs }) => {
      if (!visible) return setTimeout(() => toast.remove(id), FADE_MS);
      const lasts = admin && type !== 'loading' ? ADMIN_MS : TOAST_MS[type];
      if (lasts === Number.POSITIVE_INFINITY) return undefined;
      return setTimeout(() => toast.dismiss(id), createdAt + lasts + pausedMs - now);
    });
    return () => timers.forEach(clearTimeout);
  }, [toasts, pausedAt, admin]);
  return {
    startPause: () => setPausedAt(Date.now()),
    endPause: () => {
      if (pausedAt === undefined) return;
      const ms = Date.now() - pausedAt;
      setToasts((now) => now.map((one) => ({ ...one, pausedMs: one.pausedMs + ms })));
      setPausedAt(undefined);
    },
  };
}

function Mark({ colour, icon }: { colour: string; icon: 'check' | 'alert' }) {
  return (
    <span className={`grid size-6 shrink-0 place-items-center rounded-full ${colour}`}>
      <Icon name={icon} className="size-4" />
    </span>
  );
}

/**
 * Above everything: in the browser's top layer, and inside the topmost modal dialog where one is open, because all else
 * is inert then. There while `ids` names any toast.
 */
function TopLayer({ ids, children }: { ids: string; children: ReactNode }) {
  const [host, setHost] = useState<HTMLElement>();
  const modal = useTopModal();
  const used = useUsedControl();

  useEffect(() => {
    const element = document.createElement('div');
    element.className = 'toasts';
    element.popover = 'manual';
    setHost(element);
    return () => element.remove();
  }, []);

  useLayoutEffect(() => {
    if (!host) return;
    if (!ids) return host.remove();
    // A dialog that closes in this very commit is still on the stack, but may have left the document.
    const parent = modal?.isConnected && modal.open ? modal : document.body;
    // Moving takes it out of the top layer; showing it again puts it above the dialog that was opened meanwhile.
    if (host.parentNode !== parent) {
      parent.append(host);
      host.showPopover?.();
    }

    const place = () => {
      const { element: pressed = null, box } = used.current ?? {};
      const avoided = [pressed, document.activeElement]
        .filter((element) => !host.contains(element))
        .flatMap((element) => (element ? boxOf(element) : []));
      // It has gone with what it removed: the next one of its kind is in its place now.
      if (box && !pressed?.isConnected) avoided.push(box);
      const here = host.getBoundingClientRect();
      // Without the scrollbar's width, which no other property gives reliably while a dialog is open.
      const width = here.right + Number.parseFloat(getComputedStyle(host).right);
      const viewport = { width, height: window.innerHeight };
      const { top, right } = placeToasts({ viewport, toasts: here, used: avoided, ...surroundings(parent) });
      host.style.top = `${top}px`;
      host.style.right = `${right}px`;
    };
    place();
    window.addEventListener('resize', place);
    return () => window.removeEventListener('resize', place);
  }, [host, modal, ids, used]);

  return host ? createPortal(children, host) : null;
}

const isOpenDialog = (parent: HTMLElement) => parent instanceof HTMLDialogElement;

/** Heads and bars of the page, or of the dialog that is open. By their layout: a dialog may still be sliding in. */
function surroundings(parent: HTMLElement): Pick<Surroundings, 'head' | 'foot' | 'dialog'> {
  const height = window.innerHeight;
  const heads = [...document.querySelectorAll('[data-head]')].filter((head) => !head.closest('dialog'));
  const head = Math.max(0, ...heads.map((one) => one.getBoundingClientRect().bottom));
  const feet = [...parent.querySelectorAll('[data-foot]')].map((one) => one.getBoundingClientRect().top);
  const foot = Math.min(height - 8, ...feet.filter((top) => top > height / 2));
  if (!isOpenDialog(parent)) return { head, foot };
  const { offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight } = parent;
  const own = parent.querySelector<HTMLElement>('[data-head]');
  const dialog = { left, top, right: left + offsetWidth, bottom: top + offsetHeight };
  return { head, foot, dialog: { ...dialog, head: top + (own ? own.offsetTop + own.offsetHeight : 0) } };
}

/** Where a control is, if it can be seen; the page itself is no control. */
function boxOf(element: Element): Box[] {
  const box = element.getBoundingClientRect();
  const isSeen = box.width > 0 && box.bottom > 0 && box.top < window.innerHeight && box.right > 0;
  return isSeen && element.matches(CONTROLS) ? [box] : [];
}

/** The control that was last pressed or typed in, and where it was then. */
function useUsedControl() {
  const used = useRef<{ element: Element; box: Box }>(undefined);
  useEffect(() => {
    const note = ({ target }: Event) => {
      const element = target instanceof Element ? target.closest(CONTROLS) : null;
      used.current = element ? { element, box: element.getBoundingClientRect() } : undefined;
    };
    document.addEventListener('pointerdown', note, true);
    document.addEventListener('keydown', note, true);
    return () => {
      document.removeEventListener('pointerdown', note, true);
      document.removeEventListener('keydown', note, true);
    };
  }, []);
  return used;
}

function usePause({ startPause, endPause }: { startPause: () => void; endPause: () => void }, isEmpty: boolean) {
  const end = useRef(endPause);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const begin = () => {
    // Once for each visit of the pointer, whether its time is running or over.
    if (timer.current !== undefined) return;
    startPause();
    timer.current = setTimeout(() => end.current(), MAX_PAUSE_MS);
  };
  const leave = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    end.current();
  }, []);
  useEffect(() => {
    end.current = endPause;
  });
  // A toast that is closed under the pointer does not report that the pointer has left.
  useEffect(() => {
    if (isEmpty) leave();
  }, [isEmpty, leave]);
  return {
    // A pointer that rests where a toast appears is reported as entering it, but has not moved.
    onPointerMove: ({ pointerType, movementX, movementY }: React.PointerEvent) => {
      if (pointerType === 'mouse' && (movementX !== 0 || movementY !== 0)) begin();
    },
    onPointerLeave: leave,
    onFocus: begin,
    onBlur: leave,
  };
}
