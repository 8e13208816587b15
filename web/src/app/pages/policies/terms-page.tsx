// Terms and Conditions.

import { useShop } from '~/api/queries/shop';
import { PolicyPage } from '~/features/static-pages/policy-page';
import { Link } from '~/lib/router/router';
import { unbroken } from '~/lib/unbroken';

export default function TermsPage() {
  const { legalName, address, fssai, grievanceOfficer } = useShop();
  return (
    <PolicyPage
      title="Terms and Conditions"
      intro="The agreement between you, who cooks, and us, who grind."
      updated="1 November 2026"
      sections={[
        {
          title: 'Who we are',
          body: (
            <p>
              This shop is run by {legalName}, {address}, licensed under FSSAI No. {fssai}. By ordering you accept these
              terms.
            </p>
          ),
        },
        {
          title: 'Your account',
          body: (
            <p>
              You sign in with Google. Keep that account to yourself: what is ordered through it counts as ordered by
              you. You must be 18, or order with a parent.
            </p>
          ),
        },
        {
          title: 'Prices and payment',
          body: (
            <p>
              Prices are in Indian rupees and are MRP inclusive of all taxes. You pay through our payment gateway before
              we dispatch. If a price is plainly wrong, we tell you and you may cancel for a full refund.
            </p>
          ),
        },
        {
          title: 'Orders and stock',
          body: (
            <p>
              Putting packs into the cart does not reserve them; checking out does. An order is binding once its payment
              is complete. Should we be unable to fill it, the money goes back in full.
            </p>
          ),
        },
        {
          title: 'Delivery, cancellation and refunds',
          body: (
            <>
              <p>
                Dispatch is within 0-7 business days after confirmation and payment, delivery within 3-5 days after
                that. See <Link to="/shipping-policy">Shipping & Delivery</Link>.
              </p>
              <p>
                Cancellation must be requested the same calendar day before 11:59 PM IST; damage is reported on the day
                of delivery; approved refunds are credited within 3-5 days. See{' '}
                <Link to="/cancellation-policy">Cancellation & Refund</Link>.
              </p>
            </>
          ),
        },
        {
          title: 'Food and allergies',
          body: (
            <p>
              Ingredients stand on every product page and label. Our kitchen handles sesame, mustard, wheat, nuts and
              soy; traces are possible. If you are allergic, please read before you cook.
            </p>
          ),
        },
        {
          title: 'Complaints and law',
          body: (
            <p>
              Grievance officer: {grievanceOfficer.name},{' '}
              <a href={`mailto:${grievanceOfficer.email}`}>{grievanceOfficer.email}</a>,{' '}
              {unbroken(grievanceOfficer.phone)}. Complaints are acknowledged within 48 hours and solved within a month.
              Indian law applies; courts in Pune decide.
            </p>
          ),
        },
      ]}
    />
  );
}
