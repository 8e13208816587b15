// The results of the server's search: a grid of images and names.
import { useQuery } from '@tanstack/react-query';
import { searchQuery, searchReadingQuery } from '~/api/queries/catalogue';
import { buildQuery } from '~/lib/router/query-string';
import { Link } from '~/lib/router/router';
import { fileImage } from '~/shared/product/images/image-url';
import { ProductImage } from '~/shared/product/images/product-image';
import { DidYouMean, READ_AS_TYPED, SearchReadingNote } from '~/shared/product/search-reading';
import { ErrorState } from '~/ui/feedback/error-state';
import { CardSkeletons, EmptyState, Loading } from '~/ui/feedback/states';
import { PageTitle } from '~/ui/page-title';

const grid = 'grid grid-cols-2 gap-4 sm:gap-6 md:grid-cols-3 lg:grid-cols-4';

export function SearchView({ text }: { text: string }) {
  const { data, isLoading, isError, refetch } = useQuery({ ...searchQuery(text), enabled: text !== '' });
  const { data: reading = READ_AS_TYPED } = useQuery({ ...searchReadingQuery(text), enabled: text !== '' });
  return (
    <div className="page-width min-h-[60vh]">
      <PageTitle
        title={
          <>
            Search Results for <span className="text-chilli">{text ? `“${text}”` : '…'}</span>
          </>
        }
      />
      {isLoading ? (
        <Loading text="Loading...">
          <CardSkeletons count={4} className={grid} />
        </Loading>
      ) : isError ? (
        <ErrorState message="The search did not answer." onRetry={() => void refetch()} />
      ) : !data || data.length === 0 ? (
        <>
          {reading.correctedTo && (
            <DidYouMean
              typed={text}
              guess={reading.correctedTo}
              to={`/search${buildQuery({ q: reading.correctedTo })}`}
            />
          )}
          <EmptyState
            text="No results found."
            hint="Look along the whole shelf instead."
            action={{ to: '/sub-products', label: 'See all masalas' }}
          />
        </>
      ) : (
        <>
          <SearchReadingNote typed={text} reading={reading} />
          <ul className={grid}>
            {data.map((result) => (
              <li key={result._id}>
                <Link to={`/product/${result._id}`} className="group block rounded-lg">
                  <span className="block overflow-hidden rounded-lg bg-paper-deep shadow-card transition group-hover:-translate-y-1 group-hover:shadow-lift">
                    <ProductImage
                      source={fileImage(result.image)}
                      name={result.name}
                      sizes="(min-width: 1024px) 22vw, (min-width: 768px) 30vw, 46vw"
                      alt=""
                      className="aspect-[4/5] w-full object-cover"
                    />
                  </span>
                  <span className="mt-3 block font-display text-name group-hover:text-chilli">{result.name}</span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
