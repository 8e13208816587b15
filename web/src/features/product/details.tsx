// Product Details: ingredients, recipe, nutrition, shelf life, and all that the law requires on a label.
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Product } from '~/api/types';
import { formatPrice } from '~/lib/format';
import { unbroken, withUnits } from '~/lib/unbroken';
import { priceOf } from '~/shared/product/price';
import { Button } from '~/ui/button';

const CookMode = lazy(() => import('./cook/cook-mode'));

const DEFAULT_SHELF_LIFE = '12 Months';

export function Details({ product }: { product: Product }) {
  const shelfLife = product.best_before || DEFAULT_SHELF_LIFE;
  return (
    <section aria-labelledby="details" className="page-width mt-20 sm:mt-28">
      <h2 id="details" className="text-title">
        Product Details
      </h2>
      <div className="mt-10 grid gap-x-16 gap-y-12 lg:grid-cols-[1.25fr_1fr] print:grid-cols-[1.25fr_1fr]">
        <div className="space-y-12">
          <Block id="ingredients" title="Ingredients">
            <p className="text-lg leading-relaxed">{product.ingredients.join(', ')}.</p>
          </Block>
          <Block id="recipe" title="How to Use (Simple Recipe)" action={<CookButton product={product} />}>
            <ol className="space-y-5">
              {product.recipe.map((step, at) => (
                <li key={step} className="grid grid-cols-[2.75rem_minmax(0,1fr)] gap-3">
                  <span aria-hidden="true" className="font-display text-3xl leading-none text-chilli">
                    {at + 1}
                  </span>
                  <span className="leading-relaxed">{withUnits(step)}</span>
                </li>
              ))}
            </ol>
          </Block>
        </div>
        <div className="space-y-12">
          <Nutrition product={product} />
          <Block title="Why You'll Love It">
            <ul className="space-y-3">
              {product.why_you_will_love_it.map((reason) => (
                <li key={reason} className="flex gap-3">
                  <span aria-hidden="true" className="mt-2.5 size-2 shrink-0 rotate-45 bg-chilli-fill" />
                  {reason}
                </li>
              ))}
            </ul>
          </Block>
          <Block title="No Preservatives">
            <p>{product.preservatives}</p>
          </Block>
          <Block title="Shelf Life">
            <p>
              Best before {shelfLife} from packing. It reaches you with at least 45 days of that left. Keep it dry,
              closed and away from the stove.
            </p>
          </Block>
        </div>
      </div>
      <LabelFacts product={product} shelfLife={shelfLife} />
    </section>
  );
}

type BlockProps = { id?: string; title: string; action?: ReactNode; children: ReactNode };

function Block({ id, title, action, children }: BlockProps) {
  return (
    <div id={id} className="scroll-mt-36">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h3 className="text-heading">{title}</h3>
        {action}
      </div>
      {children}
    </div>
  );
}

/** Opens the recipe for cooking. Its code is loaded when it is first opened. */
function CookButton({ product }: { product: Product }) {
  const [open, setOpen] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  if (product.recipe.length === 0) return null;
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        className="print:hidden"
        aria-haspopup="dialog"
        onClick={() => {
          setLoaded(true);
          setOpen(true);
        }}
      >
        Start cooking
      </Button>
      {isLoaded && (
        <Suspense fallback={null}>
          <CookMode product={product} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Links to what customers look for on the page. */
export function DetailLinks() {
  return (
    <nav aria-label="On this page" className="print:hidden">
      <ul className="flex flex-wrap gap-x-6">
        {[
          ['#ingredients', 'Ingredients'],
          ['#recipe', 'Recipe'],
          ['#nutrition', 'Nutrition'],
          ['#reviews', 'Reviews'],
        ].map(([to, label]) => (
          <li key={to}>
            <a href={to} className="link inline-flex min-h-11 items-center font-semibold text-chilli">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Nutrition({ product }: { product: Product }) {
  const facts = Object.entries(product.nutrition_facts);
  return (
    <Block id="nutrition" title="Nutrition Facts">
      <table className="w-full border-y-2 border-ink">
        <caption className="sr-only">Nutrition facts per 100 g</caption>
        <thead>
          <tr className="border-b border-line text-left text-sm text-ink-soft">
            <th scope="col" className="py-2 font-medium">
              Typical values
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              per 100 g
            </th>
          </tr>
        </thead>
        <tbody>
          {facts.map(([name, amount]) => (
            <tr key={name} className="border-b border-line last:border-0">
              <th scope="row" className="py-2.5 text-left font-semibold">
                {name}
              </th>
              <td className="py-2.5 text-right tabular-nums">{amount}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Block>
  );
}

function LabelFacts({ product, shelfLife }: { product: Product; shelfLife: string }) {
  const [small, large] = [priceOf(product.mrp, 50), priceOf(product.mrp, 100)];
  const prices = [
    small !== undefined && `${formatPrice(small)} for 50 g (${formatPrice(small / 50)} per g)`,
    large !== undefined && `${formatPrice(large)} for 100 g (${formatPrice(large / 100)} per g)`,
  ].filter(Boolean);
  const facts: [string, string][] = [
    ['Generic name', product.generic_name],
    ['Net quantity', product.net_wt.map(({ value, unit }) => `${value} ${unit}`).join(' or ')],
    ['MRP (incl. of all taxes)', prices.join(', ')],
    ['Best before', `${shelfLife} from packing`],
    ['Country of origin', product.country_of_origin],
    ['Manufactured and marketed by', `${product.manufactured_marketed_by}, ${product.address}`],
    ['FSSAI licence no.', product.fssai_reg_no],
    ['Consumer care', `${unbroken(product.customer_care_no)}, ${product.email}`],
    ['HSN code and GST', `${product.hsn_code}, ${product.gst_rate_percent}% (included)`],
  ];
  return (
    <div className="mt-16 rounded-lg bg-paper-deep p-6 sm:p-9">
      <h3 className="text-heading">On the label</h3>
      <dl className="mt-6 grid gap-x-12 gap-y-5 sm:grid-cols-2 lg:grid-cols-3 print:grid-cols-3">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt className="text-sm text-ink-soft">{name}</dt>
              <dd className="mt-0.5 font-medium break-words">{value}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
