// A plain data table that scrolls sideways on its own when the screen is narrow.
import type { KeyboardEventHandler, ReactNode } from 'react';

type Props = {
  caption: string;
  head: ReactNode[];
  children: ReactNode;
  /** Many columns. */
  dense?: boolean;
  onKeyDown?: KeyboardEventHandler<HTMLElement>;
};

export function Table({ caption, head, children, dense, onKeyDown }: Props) {
  const side = dense ? 'px-2.5' : 'px-4';
  const cells = dense
    ? '[&_td]:px-2.5 [&_td]:py-1.5 [&_th]:px-2.5 [&_th]:py-1.5'
    : '[&_td]:px-4 [&_td]:py-3 [&_th]:px-4 [&_th]:py-3';
  // Where the table scrolls, the first column stays in view.
  const firstColumn = dense ? 'max-xl:sticky max-xl:left-0 max-xl:z-[1] max-xl:bg-paper-deep' : '';
  return (
    <section
      className="overflow-x-auto rounded-md border border-line"
      aria-label={caption}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <table className="w-full border-collapse text-left text-[0.9375rem]">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-paper-deep">
          <tr>
            {head.map((cell, index) => (
              <th
                key={index}
                scope="col"
                className={`${side} py-3 font-semibold whitespace-nowrap ${index === 0 ? firstColumn : ''}`}
              >
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={`divide-y divide-line bg-surface ${cells}`}>{children}</tbody>
      </table>
    </section>
  );
}
