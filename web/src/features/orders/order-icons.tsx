// Icons of the orders page, on the same grid as ui/graphics/icons.tsx. Separate, so that other pages do not load them.
import { IconFrame } from '~/ui/graphics/icons';

const shapes = {
  clock: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17zM12 7.500V12l3 2.500',
  refund: 'M8 4.500 4 8.500l4 4M4.500 8.500H15a5 5 0 0 1 0 10H9',
  parcel: 'M4 8.500 12 4.500l8 4v8l-8 4-8-4zM4 8.500l8 4 8-4M12 12.500v8M8 6.500l8 4',
  again: 'M19.500 12a7.500 7.500 0 1 1-2.200-5.300L20 9.200M20 4.500v4.700h-4.700',
  info: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17zM12 11v5.500M12 7.600v.1',
} satisfies Record<string, string>;

export type OrderIconName = keyof typeof shapes;

export function OrderIcon({ name, className }: { name: OrderIconName; className?: string }) {
  return (
    <IconFrame className={className}>
      <path d={shapes[name]} />
    </IconFrame>
  );
}
