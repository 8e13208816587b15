// Privacy Policy.
import { useShop } from '~/api/queries/shop';
import { PolicyPage } from '~/features/static-pages/policy-page';
import { unbroken } from '~/lib/unbroken';

export default function PrivacyPage() {
  const { grievanceOfficer } = useShop();
  return (
    <PolicyPage
      title="Privacy Policy"
      intro="We sell masalas. We keep what we need to bring them to you, and nothing to sell on."
      updated="19 November 2026"
      sections={[
        {
          title: 'What we keep',
          body: (
            <ul>
              <li>From Google, when you sign in: your name, e-mail address and picture. We never see your password.</li>
              <li>From you: phone number, date of birth and gender if you add them, delivery addresses, messages.</li>
              <li>From using the shop: your cart, wishlist, orders and reviews.</li>
              <li>
                Your e-mail address, if you ask to be told when a product is back: until a month after we wrote, or
                until you stop it with the link in that e-mail, and for a year at most.
              </li>
              <li>Card and UPI details stay with the payment gateway. They never reach us.</li>
            </ul>
          ),
        },
        {
          title: 'What we use it for',
          body: (
            <p>
              To hold your cart, deliver your orders, answer you, keep the books that tax law demands, and to protect
              the shop against misuse. A week after a delivery we ask once for a review; a link in that e-mail stops it.
              There is no advertising, no profile of you, and no third-party tracking on these pages.
            </p>
          ),
        },
        {
          title: 'Cookies',
          body: (
            <p>
              One cookie, set when you sign in, keeps you signed in. Your choice of a light or dark page, and the
              pincode that you last asked about, are kept in your own browser. The map on the contact page comes from
              OpenStreetMap, which sees your address when it loads.
            </p>
          ),
        },
        {
          title: 'Who else sees it',
          body: (
            <p>
              The courier gets your name, phone number and address. The payment gateway gets the amount and the order
              number. Authorities get what a lawful order demands. Everyone can read your reviews, with your first name
              and the initial of your last name. Nobody else gets anything.
            </p>
          ),
        },
        {
          title: 'How long',
          body: (
            <p>
              Your account and your reviews live until you delete them or ask us to. Invoices are kept for eight years
              because the law says so. Messages sent through the contact form are deleted after a year. When you delete
              your account, e-mails that wait are not sent. If you have ordered, a code made from your e-mail address
              stays, from which nobody can read the address, with the discount codes of yours that a customer can use
              once. It has two purposes: no discount for a first order is given twice, and no such code is used twice.
            </p>
          ),
        },
        {
          title: 'Your rights',
          body: (
            <>
              <p>
                Under the Digital Personal Data Protection Act, 2023 you may see, correct or delete what we hold,
                withdraw your consent, and name somebody to act for you. Write to us; we answer within a month.
              </p>
              <p>
                Grievance officer: {grievanceOfficer.name},{' '}
                <a href={`mailto:${grievanceOfficer.email}`}>{grievanceOfficer.email}</a>,{' '}
                {unbroken(grievanceOfficer.phone)}. Complaints are acknowledged within 48 hours and solved within a
                month.
              </p>
            </>
          ),
        },
      ]}
    />
  );
}
