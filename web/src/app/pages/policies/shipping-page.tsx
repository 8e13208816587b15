// Shipping & Delivery.
import { PolicyPage } from '~/features/static-pages/policy-page';

export default function ShippingPage() {
  return (
    <PolicyPage
      title="Shipping & Delivery"
      intro="From our roasting floor in Pune to your kitchen shelf."
      updated="1 November 2026"
      sections={[
        {
          title: 'Dispatch',
          body: (
            <p>
              Orders leave us within <b>0-7 business days</b> after confirmation and payment. Most go the next morning;
              a blend that has just sold out waits for the next roast.
            </p>
          ),
        },
        {
          title: 'Delivery',
          body: (
            <>
              <p>
                Once dispatched, delivery takes <b>3-5 days</b>. Check your pincode on any product page to see whether
                we reach you.
              </p>
              <p>
                The courier calls the number on your delivery address. If nobody is there, they try again on the next
                working day, twice at most.
              </p>
            </>
          ),
        },
        {
          title: 'Charges',
          body: (
            <p>
              The price that you see is the price that you pay: MRP inclusive of all taxes, with delivery within India
              included.
            </p>
          ),
        },
        {
          title: 'Where we deliver',
          body: <p>Everywhere in India with a six-digit pincode. We do not ship abroad yet.</p>,
        },
        {
          title: 'When something goes wrong',
          body: (
            <>
              <p>
                Floods, strikes and festivals slow couriers down. If your parcel has not moved for three days, write to
                us with your order number and we chase it.
              </p>
              <p>
                Damage or a discrepancy must be reported on the same day of delivery; replacements and exchanges are
                delivered within 7 days.
              </p>
            </>
          ),
        },
      ]}
    />
  );
}
