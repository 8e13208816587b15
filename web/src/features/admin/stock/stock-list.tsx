// The stock of the products: a table, or cards where the screen is too narrow for it.
import type { ReactNode } from 'react';
import type { ProductStock } from '~/api/types';
import { fileImage } from '~/shared/product/images/image-url';
import { ProductImage } from '~/shared/product/images/product-image';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { Table } from '~/ui/table';
import { useIsTablet } from '../console/screen-width';
import type { MovementKind } from './movement-draft';
import { batchState, dayText, gramsText, isNone, lasts, pouchesText } from './stock-words';

type Actions = {
  onMove: (kind: MovementKind, stock: ProductStock) => void;
  onLedger: (stock: ProductStock) => void;
};
type Props = Actions & { products: ProductStock[] };
type EntryProps = Actions & { stock: ProductStock };

const HEAD = [
  'Product',
  'Can be sold',
  'In orders',
  'In the shop',
  'Lasts',
  <span key="actions" className="sr-only">
    Actions
  </span>,
];

export function StockList({ products, ...actions }: Props) {
  if (useIsTablet()) {
    return (
      <ul className="grid gap-4 md:grid-cols-2">
        {products.map((stock) => (
          <StockCard key={stock.productId} stock={stock} {...actions} />
        ))}
      </ul>
    );
  }
  return (
    <Table caption="Stock of the products" head={HEAD} dense>
      {products.map((stock) => (
        <tr key={stock.productId}>
          <th
            scope="row"
            className="max-xl:sticky max-xl:left-0 max-xl:z-[1] max-xl:bg-surface max-xl:shadow-[1px_0_0_var(--color-line)]"
          >
            <Name stock={stock} />
          </th>
          <td className="tabular-nums">
            <span className="block text-lg leading-snug font-semibold">{gramsText(stock.available.grams)}</span>
            <TooOld stock={stock} />
            <span className="block text-sm whitespace-nowrap text-ink-soft">{pouchesText(stock.available)}</span>
          </td>
          <td className="text-sm whitespace-nowrap tabular-nums">
            <Held stock={stock} />
          </td>
          <td className="whitespace-nowrap tabular-nums">
            <span className="block">{gramsText(stock.inShop.grams)}</span>
            <span className="block text-sm text-ink-soft">{gramsText(stock.sold.grams)} sold in 14 days</span>
          </td>
          <td>
            <Lasts stock={stock} />
          </td>
          <td>
            <div className="-mr-1 flex justify-end">
              <Buttons stock={stock} {...actions} />
            </div>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function StockCard({ stock, ...actions }: EntryProps) {
  const facts: [string, ReactNode][] = [
    [
      'Can be sold',
      <span key="grams">
        <b>{gramsText(stock.available.grams)}</b>
        <TooOld stock={stock} />
      </span>,
    ],
    ['In orders', <Held key="held" stock={stock} />],
    ['In the shop', gramsText(stock.inShop.grams)],
    ['Pouches', pouchesText(stock.available)],
  ];
  return (
    <li
      aria-label={stock.productName}
      className="flex flex-col rounded-lg border border-line bg-surface px-4 py-4 shadow-card sm:px-5"
    >
      <div className="flex items-start justify-between gap-3">
        <Name stock={stock} />
        <Lasts stock={stock} />
      </div>
      <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-2 border-t border-line pt-3 tabular-nums">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-ink-soft">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-auto grid grid-cols-4 gap-1 pt-3">
        <Buttons stock={stock} {...actions} />
      </div>
    </li>
  );
}

function Name({ stock }: { stock: ProductStock }) {
  const [first] = stock.batches;
  return (
    <div className="flex min-w-0 items-center gap-3">
      <ProductImage
        source={fileImage(stock.image)}
        name={stock.productName}
        alt=""
        sizes="48px"
        widths={[64, 160]}
        className="size-12 shrink-0 rounded-md object-cover"
      />
      <div className="min-w-0">
        <span className="block font-semibold break-words">{stock.productName}</span>
        {!stock.isVisible && <span className="block text-sm font-normal text-ink-soft">Hidden</span>}
        {first && (
          <span className={`block text-sm font-normal ${first.canBeSent ? 'text-ink-soft' : 'text-chilli'}`}>
            {first.canBeSent
              ? `Batch ${first.number}, best before ${dayText(first.bestBefore)}`
              : `Batch ${first.number}: ${batchState(first).text}`}
          </span>
        )}
      </div>
    </div>
  );
}

function TooOld({ stock }: { stock: ProductStock }) {
  if (stock.tooOldGrams === 0) return null;
  return (
    <span className="block text-sm font-semibold whitespace-nowrap text-chilli">
      {gramsText(stock.tooOldGrams)} too old to sell
    </span>
  );
}

function Held({ stock }: { stock: ProductStock }) {
  if (isNone(stock.unpaid) && isNone(stock.toPack)) return <span className="text-ink-soft">–</span>;
  return (
    <>
      {!isNone(stock.toPack) && <span className="block">{gramsText(stock.toPack.grams)} to pack</span>}
      {!isNone(stock.unpaid) && <span className="block">{gramsText(stock.unpaid.grams)} unpaid</span>}
    </>
  );
}

function Lasts({ stock }: { stock: ProductStock }) {
  const { text, hint, tone } = lasts(stock);
  return (
    <div className="shrink-0">
      <span className="inline-flex whitespace-nowrap">
        <Badge tone={tone}>{text}</Badge>
      </span>
      {hint && <span className="mt-0.5 block text-sm text-ink-soft">{hint}</span>}
    </div>
  );
}

function Buttons({ stock, onMove, onLedger }: EntryProps) {
  const of = <span className="sr-only"> {stock.productName}</span>;
  return (
    <>
      <Button variant="ghost" size="sm" className="!px-2.5" onClick={() => onMove('receive', stock)}>
        Receive{of}
      </Button>
      <Button variant="ghost" size="sm" className="!px-2.5" onClick={() => onMove('count', stock)}>
        Count{of}
      </Button>
      <Button variant="ghost" size="sm" className="!px-2.5" onClick={() => onMove('writeOff', stock)}>
        Write off{of}
      </Button>
      <Button variant="ghost" size="sm" className="!px-2.5" onClick={() => onLedger(stock)}>
        Ledger{of}
      </Button>
    </>
  );
}
