// The ways to reach the shop, where a page cannot help any further.
import { useShop } from '~/api/queries/shop';
import { Link } from '~/lib/router/router';

export function ContactWays() {
  const { supportPhone, supportEmail } = useShop();
  return (
    <>
      You can{' '}
      {supportPhone && (
        <>
          call{' '}
          <a className="link font-semibold whitespace-nowrap" href={`tel:${supportPhone.replace(/\s/g, '')}`}>
            {supportPhone}
          </a>
          ,{' '}
        </>
      )}
      {supportEmail && (
        <>
          write to{' '}
          <a className="link font-semibold [overflow-wrap:anywhere]" href={`mailto:${supportEmail}`}>
            {supportEmail}
          </a>
          {', or '}
        </>
      )}
      send us a message on the{' '}
      <Link className="link font-semibold" to="/contact-us">
        contact page
      </Link>
      .
    </>
  );
}
