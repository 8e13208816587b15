// Cancellation & Refund.
import { PolicyPage } from '~/features/static-pages/policy-page';
import { Link } from '~/lib/router/router';

export default function CancellationPage() {
  return (
    <PolicyPage
      title="Cancellation & Refund"
      intro="Changed your mind, or something arrived torn? Here is what we do, and by when."
      updated="18 November 2026"
      sections={[
        {
          title: 'Cancelling an order',
          body: (
            <>
              <p>
                You cancel an order yourself, on <Link to="/orders">My Orders</Link>: until <b>11:59 PM IST</b> of the
                same calendar day on which you placed it, as long as it is pending or confirmed. The page shows how much
                time is left, and we confirm the cancellation by e-mail.
              </p>
              <p>
                Before it is packed, it is cancelled at once, and what you paid is refunded automatically. If you had
                not paid yet, nothing is charged, and a payment that arrives later comes back by itself.
              </p>
              <p>
                Once your order is packed, cancelling it is a request: we check whether the parcel can still be stopped,
                and accept or decline <b>within a day</b>. The order shows our answer, and we write to you by e-mail.
                Until then nothing is refunded.
              </p>
              <p>
                After that hour, or once it is shipped, your pouches are packed and on their way, and the order can no
                longer be cancelled. You can still report a problem when it arrives.
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
                <b>same day of delivery</b>, until 11:59 PM IST: open the order on <Link to="/orders">My Orders</Link>,
                choose the packs, tell us what is wrong, and add up to 5 photos of the pouch and of the carton.
              </p>
              <ul>
                <li>Torn, leaking or unsealed pouches: replaced or refunded.</li>
                <li>Another blend or size than you ordered: exchanged at our cost.</li>
                <li>Less than 45 days of shelf life left on arrival: refunded in full.</li>
              </ul>
              <p>You see on the order what we decide, and we write to you by e-mail.</p>
            </>
          ),
        },
        {
          title: 'Replacements and exchanges',
          body: (
            <p>
              An approved replacement or exchange is delivered within <b>7 days</b>, free of charge. It is an order of
              its own among your orders. We do not ask for the damaged pouch back; please do not cook with it.
            </p>
          ),
        },
        {
          title: 'Refunds',
          body: (
            <p>
              An approved refund is credited within <b>3-5 days</b>, to the account, card or UPI handle that you paid
              with. Your order shows each refund: requested, on its way, done. If a payment failed but your bank shows
              it as taken, it comes back by itself in the same time.
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
