// A form field with a list of rows, at least one. Enter adds a row; several pasted lines become several rows, and so does
// what `split` parts.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button, IconButton } from '~/ui/button';
import { inputClass } from '~/ui/forms/field';
import { Icon } from '~/ui/graphics/more-icons';
import { AdminIcon } from '../../console/admin-icon';

export const listInputClass = `${inputClass} !min-h-11 !py-2`;

type RowAria = { 'aria-label': string; 'aria-invalid'?: true; 'aria-describedby'?: string };

type Props<Row> = {
  label: string;
  required?: boolean;
  hint?: string;
  rows: Row[];
  empty: Row;
  add: string;
  error: (row: number) => string | undefined;
  /** What Enter makes of the row that it leaves. */
  parts?: (row: Row) => Row[];
  onChange: (rows: Row[]) => void;
  children: (row: Row, change: (row: Row) => void, aria: RowAria, index: number) => ReactNode;
};

export function ListField<Row>({
  label,
  required,
  hint,
  rows,
  empty,
  add,
  error,
  parts,
  onChange,
  children,
}: Props<Row>) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const [focusRow, setFocusRow] = useState(-1);
  useEffect(() => {
    if (focusRow < 0) return;
    list.current?.children[focusRow]?.querySelector<HTMLElement>('input, textarea')?.focus();
    setFocusRow(-1);
  }, [focusRow]);

  const insertAfter = (index: number) => {
    const left = rows.slice(index, index + 1).flatMap((row) => (parts ? parts(row) : [row]));
    onChange([...rows.slice(0, index), ...left, empty, ...rows.slice(index + 1)]);
    setFocusRow(index + left.length);
  };
  const remove = (index: number) => {
    if (rows.length < 2) return;
    onChange(rows.filter((_, each) => each !== index));
    setFocusRow(Math.min(index, rows.length - 2));
  };
  const moveUp = (index: number) => {
    const next = [...rows];
    const [row] = next.splice(index, 1);
    if (row !== undefined) next.splice(index - 1, 0, row);
    onChange(next);
    setFocusRow(index - 1);
  };

  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.9375rem] font-semibold">
        {label}
        {required && (
          <span className="text-chilli" aria-hidden="true">
            {' '}
            *
          </span>
        )}
      </legend>
      {hint && <p className="-mt-1 mb-2 text-sm text-ink-soft">{hint}</p>}
      <ul ref={list} className="space-y-2">
        {rows.map((row, index) => {
          const text = error(index);
          const aria: RowAria = {
            'aria-label': `${label} ${index + 1}`,
            ...(text ? { 'aria-invalid': true, 'aria-describedby': `${id}-${index}` } : {}),
          };
          const change = (next: Row) => onChange(rows.map((each, at) => (at === index ? next : each)));
          return (
            <li key={index}>
              {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter is a shortcut for the button below */}
              <div
                className="flex items-start gap-1"
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.shiftKey || !(event.target instanceof HTMLInputElement)) return;
                  event.preventDefault();
                  insertAfter(index);
                }}
              >
                <div className="flex min-w-0 flex-1 gap-2">{children(row, change, aria, index)}</div>
                {rows.length > 1 && (
                  <IconButton
                    label={`Move ${label} ${index + 1} up`}
                    disabled={index === 0}
                    onClick={() => moveUp(index)}
                  >
                    <AdminIcon name="up" className="size-4.5" />
                  </IconButton>
                )}
                <IconButton
                  label={`Remove ${label} ${index + 1}`}
                  disabled={rows.length < 2}
                  onClick={() => remove(index)}
                >
                  <Icon name="close" className="size-4.5" />
                </IconButton>
              </div>
              {text && (
                <p id={`${id}-${index}`} className="mt-1 text-sm text-chilli">
                  {text}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      <Button variant="ghost" size="sm" className="mt-1 -ml-2 !px-3" onClick={() => insertAfter(rows.length - 1)}>
        <Icon name="plus" className="size-4" />
        {add}
      </Button>
    </fieldset>
  );
}

type TextListProps = Omit<Props<string>, 'children' | 'empty' | 'parts'> & {
  long?: boolean;
  options?: string[];
  /** Parts what is pasted or typed into one row; by default into its lines. */
  split?: (text: string) => string[];
};

const lines = (text: string) => filled(text.split(/\r?\n/));
const filled = (parts: string[]) => parts.map((part) => part.trim()).filter(Boolean);

/** 'Salt, spices (cumin, coriander), chilli' has three ingredients. */
export const splitIngredients = (text: string) => filled(text.split(/[,;\n](?![^(]*\))/));

/** Rows of plain text; `long` gives each a text area. */
export function TextListField({ long, options, split = lines, ...props }: TextListProps) {
  const optionsId = useId();
  const part = (index: number, text: string) => {
    const parts = split(text);
    if (parts.length < 2) return false;
    props.onChange([...props.rows.slice(0, index), ...parts, ...props.rows.slice(index + 1)]);
    return true;
  };
  return (
    <>
      <ListField
        {...props}
        empty=""
        parts={(row) => {
          const parts = split(row);
          return parts.length > 1 ? parts : [row];
        }}
      >
        {(row, change, aria, index) => {
          const shared = {
            ...aria,
            value: row,
            onChange: (event: { target: { value: string } }) => change(event.target.value),
            onPaste: (event: React.ClipboardEvent) => {
              if (row === '' && part(index, event.clipboardData.getData('text'))) event.preventDefault();
            },
            // What was typed is parted when the row is left.
            onBlur: () => part(index, row),
            className: listInputClass,
          };
          return long ? (
            <textarea {...shared} rows={2} />
          ) : (
            <input {...shared} list={options ? optionsId : undefined} />
          );
        }}
      </ListField>
      {options && (
        <datalist id={optionsId}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </>
  );
}
