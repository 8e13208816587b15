// Icons of the admin area, on the same grid as ui/graphics/icons.tsx. Separate, so that customers do not load them.
const shapes = {
  products: 'M4 8.500 12 4.500l8 4v8l-8 4-8-4zM4 8.500l8 4 8-4M12 12.500v8',
  orders: 'M6 3.500h12v17l-3-2-3 2-3-2-3 2zM9 8.500h6M9 12.500h6',
  users:
    'M9 11.500a3.300 3.300 0 1 0 0-6.600 3.300 3.300 0 0 0 0 6.600zM3 19.500c.5-3.500 2.800-5.200 6-5.200s5.500 1.700 6 5.200M16 5.200a3.200 3.200 0 0 1 0 6M17.500 14.600c2 .6 3.200 2.200 3.500 4.900',
  team: 'M12 3.500 19 6v5.500c0 4.500-3 7.500-7 9-4-1.500-7-4.500-7-9V6zM12 11.500a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600zM8.800 16c.3-2 1.500-2.900 3.200-2.900s2.900.9 3.200 2.900',
  messages: 'M3.500 6h17v12.500h-17zM4 6.500l8 7 8-7',
  customers:
    'M12 12a3.700 3.700 0 1 0 0-7.400 3.700 3.700 0 0 0 0 7.400zM5 20c.6-3.700 3.200-5.500 7-5.500s6.400 1.800 7 5.500',
  problems: 'M4 9 12 5l8 4v7.500l-8 4-8-4zM4 9l8 4 8-4M12 13v2.500M12 18.300v.1',
  overview: 'M4 4v16h16M8 16.500v-4M12 16.500v-8M16 16.500V11',
  invoices: 'M6 3.500h8l4 4v13H6zM14 3.500v4h4M9 11h6M9 14h6M9 17h3.500',
  reviews: 'M12 3.800l2.500 5.200 5.700.8-4.100 4 1 5.700-5.100-2.700-5.100 2.700 1-5.700-4.100-4 5.700-.8z',
  shipments:
    'M3.500 6.500h10v10h-10zM13.500 10h4l3 3v3.500h-7M7 19a1.800 1.800 0 1 0 0-3.600A1.800 1.800 0 0 0 7 19zM16.500 19a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600z',
  'pack-and-ship': 'M4 8.500h16v11.500H4zM4 8.500l2.500-4h11l2.500 4M12 4.500v4M9 14.500l2.200 2.200 4-4.200',
  discounts: 'M4 4.500h7.500l8.500 8.500-7 7-8.500-8.500zM8.200 8.300v.1M10 14l4-1.500',
  'to-do':
    'M4.500 6.500 6 8l2.500-3M4.500 12.500 6 14l2.500-3M4.500 18.500 6 20l2.500-3M12 6.500h8M12 12.500h8M12 18.500h8',
  stock: 'M4 20.500v-10L12 5l8 5.500v10M4 20.500h16M8 20.500v-7h8v7M8 17h8',
  grip: 'M9 6.500h.1M15 6.500h.1M9 12h.1M15 12h.1M9 17.500h.1M15 17.500h.1',
  bell: 'M6 16.500v-5.500a6 6 0 0 1 12 0v5.500l1.500 2h-15zM10 18.500a2 2 0 0 0 4 0',
  upload: 'M12 15.500v-11M7.500 8.500 12 4.500l4.500 4M4.500 14.500v5h15v-5',
  download: 'M12 4.500v11M7.500 11.500l4.500 4 4.500-4M4.500 14.500v5h15v-5',
  edit: 'm14.500 5.500 4 4L9 19l-5 1 1-5zM12.500 7.500l4 4',
  up: 'm5.500 14.500 6.500-6.500 6.500 6.500',
  copy: 'M8.500 8.500h11v11h-11zM15.500 8.500v-4h-11v11h4',
  shop: 'M4 9.500 5.500 4.500h13L20 9.500M4 9.500a2.700 2.700 0 0 0 5.300 0 2.700 2.700 0 0 0 5.400 0 2.700 2.700 0 0 0 5.300 0M5.500 12v8h13v-8M10 20v-5h4v5',
  out: 'M14 4.500H5v15h9M10 12h10M16.500 8.500 20 12l-3.500 3.500',
} satisfies Record<string, string>;

export type AdminIconName = keyof typeof shapes;

export function AdminIcon({ name, className = 'size-5' }: { name: AdminIconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
