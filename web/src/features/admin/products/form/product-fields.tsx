// All fields of a product.
import { useQuery } from '@tanstack/react-query';
import { filtersQuery } from '~/api/queries/catalogue';
import type { Product } from '~/api/types';
import { Field, Select, TextArea } from '~/ui/forms/field';
import { ImageListField } from '../images/image-list-field';
import { FieldGroup as Group } from './field-group';
import { ListField, listInputClass, splitIngredients, TextListField } from './list-field';
import {
  type FormErrors,
  type ListName,
  NUTRIENTS,
  type ProductValues,
  RANKS,
  type TextName,
} from './product-form-model';
import { StockGroup } from './stock-group';

export type SetValues = (change: (now: ProductValues) => ProductValues) => void;
type Props = { values: ProductValues; editing: Product | null; errors: FormErrors; onChange: SetValues };

const PACKS = ['50 g', '100 g'];
const textLabels: Record<TextName, string> = {
  product_name: 'Product name',
  devanagari_name: 'Name in Devanagari',
  generic_name: 'Generic name',
  description: 'Description',
  country_of_origin: 'Country of origin',
  preservatives: 'Preservatives',
  fssai_reg_no: 'FSSAI registration number',
  manufactured_marketed_by: 'Manufactured and marketed by',
  address: 'Address',
  email: 'Email',
  customer_care_no: 'Customer care number',
  best_before: 'Best before',
  hsn_code: 'HSN code',
};

export function ProductFields({ values, editing, errors, onChange }: Props) {
  const { data: known } = useQuery(filtersQuery);
  const set = <Name extends keyof ProductValues>(name: Name, value: ProductValues[Name]) =>
    onChange((now) => ({ ...now, [name]: value }));
  const text = (name: TextName) => ({
    label: textLabels[name],
    name,
    value: values[name],
    error: errors[name],
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
  });
  const rows = (name: Exclude<ListName, 'images'>, label: string, add: string) => ({
    label,
    add,
    rows: values[name],
    error: (row: number) => errors[`${name}.${row}`],
    onChange: (next: string[]) => set(name, next),
  });

  return (
    <div className="space-y-5">
      <Group title="Name">
        <Field {...text('product_name')} required className="sm:col-span-2" maxLength={120} />
        <Field
          {...text('devanagari_name')}
          hint="Shown on the card, if there is one"
          lang="mr"
          className="[&_input]:font-devanagari"
        />
        <Field
          {...text('generic_name')}
          hint="What it is, in plain words, as the label must say"
          placeholder="Blended spice powder"
        />
        <div className="sm:col-span-2">
          <TextListField {...rows('category', 'Category', 'Add category')} required options={known?.categories} />
        </div>
      </Group>
      <Group title="Price and weight">
        <ListField
          {...rows('mrp', 'MRP', 'Add price')}
          required
          empty=""
          hint="In rupees, tax included: first the 50 g pack, then the 100 g pack. 0: not sold in this size"
        >
          {(row, change, aria, index) => (
            <>
              <span className="grid w-16 shrink-0 place-items-center rounded-md bg-paper-deep text-sm font-semibold">
                {PACKS[index] ?? 'other'}
              </span>
              <input
                {...aria}
                type="number"
                min={0}
                step={0.01}
                inputMode="decimal"
                value={row}
                onChange={(event) => change(event.target.value)}
                className={listInputClass}
              />
            </>
          )}
        </ListField>
        <ListField
          label="Net weight"
          required
          hint="As it stands on each pack"
          add="Add weight"
          empty={{ value: '', unit: 'g' }}
          rows={values.net_wt}
          error={(row) => errors[`net_wt.${row}`]}
          onChange={(next) => set('net_wt', next)}
        >
          {(row, change, aria, index) => (
            <>
              <input
                {...aria}
                type="number"
                min={0}
                step="any"
                inputMode="decimal"
                value={row.value}
                onChange={(event) => change({ ...row, value: event.target.value })}
                className={listInputClass}
              />
              <input
                aria-label={`Unit of net weight ${index + 1}`}
                value={row.unit}
                maxLength={12}
                onChange={(event) => change({ ...row, unit: event.target.value })}
                className={`${listInputClass} !w-20`}
              />
            </>
          )}
        </ListField>
      </Group>
      <Group title="Pictures" wide>
        <ImageListField
          images={values.images}
          alts={values.image_alts}
          sizes={editing?.image_details ?? []}
          name={values.product_name}
          error={errors.images}
          onChange={(change) => onChange((now) => ({ ...now, images: change(now.images) }))}
          onAlt={(file, alt) => onChange((now) => ({ ...now, image_alts: { ...now.image_alts, [file]: alt } }))}
        />
      </Group>
      <StockGroup values={values} editing={editing} errors={errors} onChange={onChange} />
      <Group title="In the shop">
        <label className="flex min-h-12 cursor-pointer items-center gap-3 self-end font-medium">
          <input
            type="checkbox"
            checked={values.isVisible}
            onChange={(event) => set('isVisible', event.target.checked)}
            className="size-5 accent-cardamom-fill"
          />
          Visible
        </label>
        <Select
          label="Trending Rank"
          hint="1 comes first under Trending Masalas on the home page"
          value={values.trendingRank}
          disabled={!values.isVisible}
          error={errors.trendingRank}
          onChange={(event) => set('trendingRank', event.target.value)}
        >
          <option value="">None</option>
          {RANKS.map((rank) => (
            <option key={rank} value={rank}>
              {rank}
            </option>
          ))}
        </Select>
      </Group>
      <Group title="What is in it">
        <div className="sm:col-span-2">
          <TextListField
            {...rows('ingredients', 'Ingredients', 'Add ingredient')}
            required
            hint="Paste the whole list, with commas: each ingredient gets a row of its own"
            split={splitIngredients}
          />
        </div>
        <Select
          label="Diet"
          value={values.diet}
          onChange={(event) => set('diet', event.target.value as Product['diet'])}
        >
          <option value="veg">Vegetarian</option>
          <option value="non-veg">Non-vegetarian</option>
        </Select>
        <Select
          label="Heat"
          value={values.heat}
          onChange={(event) => set('heat', event.target.value as ProductValues['heat'])}
        >
          <option value="">Not stated</option>
          <option value="none">None</option>
          <option value="mild">Mild</option>
          <option value="medium">Medium</option>
          <option value="hot">Hot</option>
        </Select>
        <Field {...text('preservatives')} />
        <fieldset className="sm:col-span-2">
          <legend className="mb-1.5 text-[0.9375rem] font-semibold">Nutrition facts per 100 g</legend>
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-5">
            {NUTRIENTS.map((nutrient) => (
              <Field
                key={nutrient}
                label={nutrient}
                value={values.nutrition_facts[nutrient]}
                onChange={(event) =>
                  set('nutrition_facts', { ...values.nutrition_facts, [nutrient]: event.target.value })
                }
              />
            ))}
          </div>
        </fieldset>
      </Group>
      <Group title="What it is for" wide>
        <TextArea {...text('description')} rows={3} />
        <TextListField {...rows('why_you_will_love_it', "Why you'll love it", 'Add reason')} long />
        <TextListField {...rows('recipe', 'Recipe', 'Add step')} long />
      </Group>
      <Group title="On the label">
        <Field {...text('best_before')} hint="Shown as 12 Months if empty" />
        <Field {...text('country_of_origin')} />
        <Field {...text('fssai_reg_no')} inputMode="numeric" hint="The 14 digits of the food licence" />
        <Field {...text('manufactured_marketed_by')} />
        <Field {...text('address')} className="sm:col-span-2" />
        <Field {...text('email')} type="email" />
        <Field {...text('customer_care_no')} type="tel" />
        <Field {...text('hsn_code')} inputMode="numeric" hint="Goods code for invoices and tax" />
        <Field
          label="GST rate (%)"
          type="number"
          min={0}
          max={100}
          step="any"
          value={values.gst_rate_percent}
          error={errors.gst_rate_percent}
          onChange={(event) => set('gst_rate_percent', event.target.value)}
        />
      </Group>
    </div>
  );
}
