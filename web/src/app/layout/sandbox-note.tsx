// The note at the foot of every page of a demonstration shop.
import { useShop } from '~/api/queries/shop';

export function SandboxNote() {
  const { sandbox, name } = useShop();
  if (!sandbox) return null;
  return (
    <aside
      aria-label="About this shop"
      className="bg-turmeric px-4 py-2 text-center text-sm font-semibold text-on-turmeric"
    >
      Demonstration shop: sign-in and payment are sandboxes, nothing is charged and nothing is sent by {name}.
    </aside>
  );
}
