// The whole app below its router: providers, the frame of every page, the page itself.
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useLocation } from 'react-router';
import { SessionSync } from '~/api/session';
import { useShop } from '~/api/shop';
import { pageComponent } from '~/app/pages-lazy';
import { ImageHosts } from '~/ui/image-hosts';
import { Part } from '~/ui/part';
import { ErrorBoundary } from './error-boundary';
import { HeadSync } from './head-sync';
import { IdleImages } from './idle-images';
import { Footer } from './layout/footer';
import { Header } from './layout/header';
import { LazyToaster } from './layout/lazy-toaster';
import { PageLoading } from './layout/page-loading';
import { Panels } from './layout/panels';
import { SandboxNote } from './layout/sandbox-note';
import { RouteParamsContext } from './route-params';
import { matchRoute } from './routes';
import { ScrollKeeper } from './scroll-keeper';

export function App({ client }: { client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <Frame />
    </QueryClientProvider>
  );
}

function Frame() {
  const { pathname } = useLocation();
  const { route, params } = matchRoute(pathname);
  const Page = pageComponent(route.page);
  const isAdmin = pathname.startsWith('/admin');
  const { imageHosts } = useShop();
  return (
    <RouteParamsContext value={params}>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-full focus:bg-ink focus:px-5 focus:py-3 focus:text-paper"
      >
        Skip to content
      </a>
      {!isAdmin && <Header />}
      <ImageHosts value={imageHosts}>
        <main id="main" tabIndex={-1} className="outline-none">
          <ErrorBoundary key={pathname}>
            <Suspense fallback={<PageLoading />}>
              <Page />
            </Suspense>
          </ErrorBoundary>
        </main>
        <Panels />
      </ImageHosts>
      {!isAdmin && (
        <Part>
          <Footer />
        </Part>
      )}
      <SessionSync />
      <SandboxNote />
      <LazyToaster admin={isAdmin} />
      <HeadSync />
      {!isAdmin && <IdleImages />}
      <ScrollKeeper />
    </RouteParamsContext>
  );
}
