// What the shop charges for delivery: today nothing. The header, the product page, the cart and the checkout say it with
// these two.

/** 'Free delivery', where a customer decides. */
export function DeliveryOffer({ className }: { className?: string }) {
  return <span className={className}>Free delivery</span>;
}

/** The charge below the items of a cart: a row of a definition list. `term` may say when the order arrives. */
export function DeliveryRow({ term = 'Delivery' }: { term?: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4 text-ink-soft">
      <dt>{term}</dt>
      <dd>Free</dd>
    </div>
  );
}
