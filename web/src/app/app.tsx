// The app below its router: providers, the layout around every page, the page itself.
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useShop } from '~/api/queries/shop';
import { Footer } from '~/app/layout/footer-lazy';
import { pageComponent } from '~/app/routing/pages-lazy';
import { HydrationIsland } from '~/lib/hydration/hydration-island';
import { useLocation } from '~/lib/router/router';
import { SessionSync } from '~/shared/auth/session';
import { ImageHosts } from '~/shared/product/images/image-hosts';
import { EarlyInputReplay } from './early/early-input';
import { ErrorBoundary } from './error-boundary';
import { DocumentHead } from './head/document-head';
import { IdleImages } from './idle-images';
import { Header } from './layout/header';
import { LazyToaster } from './layout/lazy-toaster';
import { OfflineNotice } from './layout/offline-notice';
import { Overlays } from './layout/overlays';
import { PageLoading } from './layout/page-loading';
import { SandboxNote } from './layout/sandbox-note';
import { RouteParamsContext } from './routing/route-params';
import { matchRoute } from './routing/routes';
import { ScrollRestoration } from './routing/scroll-restoration';

export function App({ client }: { client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <AppLayout />
    </QueryClientProvider>
  );
}

function AppLayout() {
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
        <Overlays />
      </ImageHosts>
      {!isAdmin && (
        <HydrationIsland>
          <Footer />
        </HydrationIsland>
      )}
      <SessionSync />
      <SandboxNote />
      <OfflineNotice />
      <LazyToaster admin={isAdmin} />
      <DocumentHead />
      {!isAdmin && <IdleImages />}
      <ScrollRestoration />
      <EarlyInputReplay />
    </RouteParamsContext>
  );
}
