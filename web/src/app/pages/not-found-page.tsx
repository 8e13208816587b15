// The 404 page.
import { ButtonLink } from '~/ui/button';
import { RangoliSun } from '~/ui/graphics/rangoli';

export default function NotFoundPage() {
  return (
    <div className="page-width flex min-h-[70vh] flex-col items-center justify-center py-20 text-center">
      <RangoliSun className="w-56 max-w-full text-turmeric" />
      <p className="mt-8 eyebrow text-chilli">404</p>
      <h1 className="mt-3 text-title">This shelf is empty</h1>
      <p className="mt-3 max-w-md text-lg text-ink-soft">
        The page you asked for is not here. It may have moved, or the address has a typing slip in it.
      </p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <ButtonLink to="/sub-products" size="lg">
          See all masalas
        </ButtonLink>
        <ButtonLink to="/" variant="secondary" size="lg">
          Back home
        </ButtonLink>
      </div>
    </div>
  );
}
