// A part of a page that React hydrates on its own, when it is seen or touched: the parts do not wait for each other, and
// what is never seen costs nothing. `children` render one element. On the first page only the code of a part may suspend
// it, and its HTML stays meanwhile: the fallback is shown only where the browser renders the page itself.
import {
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createGate, type HydrationGate, openWhenSeen } from './hydration-gate';

export function HydrationIsland({ children }: { children: ReactNode }) {
  const [gate] = useState(createGate);
  const [isHydrated, setHydrated] = useState(false);
  const marker = useRef<HTMLTemplateElement>(null);
  useClientLayoutEffect(() => {
    // The server-rendered element of this part.
    const element = marker.current?.nextElementSibling;
    if (element) return openWhenSeen(element, gate);
    gate.open();
  }, [gate]);
  const boundary = (
    <Suspense fallback={null}>
      <Gated gate={gate} onHydrated={setHydrated}>
        {children}
      </Gated>
    </Suspense>
  );
  // Exactly the same element until then: React discards the HTML of a part that is to be rendered with something new
  // before it is hydrated.
  const [first] = useState(boundary);
  return (
    <>
      <template ref={marker} />
      {isHydrated ? boundary : first}
    </>
  );
}

type GatedProps = { gate: HydrationGate; onHydrated: (hydrated: true) => void; children: ReactNode };

function Gated({ gate, onHydrated, children }: GatedProps) {
  const isHydrating = useSyncExternalStore(neverChanges, returnFalse, returnTrue);
  if (isHydrating && typeof window !== 'undefined') use(gate as unknown as Promise<undefined>);
  return (
    <>
      {children}
      <Hydrated gate={gate} onHydrated={onHydrated} />
    </>
  );
}

/** After its siblings, so that their listeners are there. */
function Hydrated({ gate, onHydrated }: Omit<GatedProps, 'children'>): null {
  useClientLayoutEffect(() => {
    gate.setHydrated();
    onHydrated(true);
  }, [gate, onHydrated]);
  return null;
}

const useClientLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect;
const neverChanges = () => () => undefined;
const returnTrue = () => true;
const returnFalse = () => false;
