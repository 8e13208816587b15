// Cancellation & Refund.
import { PolicyPage } from '~/features/static-pages/policy-page';

export default function CancellationPage() {
  return (
    <PolicyPage
      title="Cancellation & Refund"
      intro="Changed your mind, or something arrived torn? Here is what we do, and by when."
      updated="1 November 2026"
      sections={[
        {
          title: 'Cancelling an order',
          body: (
            <>
              <p>
                You may cancel an order on the same calendar day you placed it, before <b>11:59 PM IST</b>. Write or
                call with your order number; we confirm the cancellation by e-mail.
              </p>
              <p>
                After that hour your pouches are packed and on their way, and the order can no longer be cancelled. You
                can still ask for a replacement or refund if something is wrong with it.
              </p>
            </>
          ),
        },
        {
          title: 'Damage or a wrong item',
          body: (
            <>
              <p>
                Please look at your parcel when it comes. Report damage, a missing pouch or any discrepancy on the{' '}
                <b>same day of delivery</b>, with a photograph of the pouch and of the carton.
              </p>
              <ul>
                <li>Torn, leaking or unsealed pouches: replaced or refunded, as you like.</li>
                <li>Another blend or size than you ordered: exchanged at our cost.</li>
                <li>Less than 45 days of shelf life left on arrival: refunded in full.</li>
              </ul>
            </>
          ),
        },
        {
          title: 'Replacements and exchanges',
          body: (
            <p>
              An approved replacement or exchange is delivered within <b>7 days</b>. We do not ask for the damaged pouch
              back; please do not cook with it.
            </p>
          ),
        },
        {
          title: 'Refunds',
          body: (
            <p>
              An approved refund is credited within <b>3-5 days</b>, to the account, card or UPI handle that you paid
              with. If a payment failed but your bank shows it as taken, it comes back by itself in the same time.
            </p>
          ),
        },
        {
          title: 'What we cannot take back',
          body: (
            <p>
              An opened pouch, for the plain reason that it is food. If you opened it and something is not as it should
              be, tell us anyway: we want to know, and we will make it right.
            </p>
          ),
        },
      ]}
    />
  );
}
