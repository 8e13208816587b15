// A table as a CSV file, made in the browser.

export type Cell = string | number;

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
function quote(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function toCsv(columns: string[], rows: Cell[][]): string {
  return `\ufeff${[columns, ...rows].map((row) => row.map(quote).join(',')).join('\r\n')}\r\n`;
}

export function downloadCsv(name: string, columns: string[], rows: Cell[][]): void {
  const url = URL.createObjectURL(new Blob([toCsv(columns, rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
