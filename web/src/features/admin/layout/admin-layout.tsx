// The layout of the admin area: the sidebar, the section that the URL names, and the confirmation before unsaved changes
// are discarded.
import { lazy, type MouseEvent, Suspense, useState } from 'react';
import type { User } from '~/api/types';
import { useNavigate } from '~/lib/router/router';
import { ConfirmDialog } from '~/ui/dialog/confirm-dialog';
import { useSearchKey } from '../console/keyboard';
import { hasUnsavedChanges } from '../console/unsaved-changes';
import { sectionTitles, useAdminUrl } from '../console/url-state';
import { CustomersSection } from '../customers/customers-section';
import { DiscountsSection } from '../discounts/discounts-section';
import { InvoicesSection } from '../invoices/invoices-section';
import { MessagesSection } from '../messages/messages-section';
import { OrdersSection } from '../orders/list/orders-section';
import { PackAndShipSection } from '../orders/pack-and-ship/pack-and-ship-section';
import { OverviewLoading } from '../overview/overview-loading';
import { ProblemsSection } from '../problems/problems-section';
import { deleteAllDrafts } from '../products/form/product-draft';
import { ProductsSection } from '../products/products-section';
import { ReviewsSection } from '../reviews/reviews-section';
import { SearchBox } from '../search/search-box';
import { ShipmentsSection } from '../shipments/shipments-section';
import { StockSection } from '../stock/stock-section';
import { useRefreshToDo } from '../to-do/to-do-queries';
import { ToDoSection } from '../to-do/to-do-section';
import { ComingSoon } from '../users/coming-soon';
import { PhoneBar, Sidebar } from './sidebar';

/** Charts take a library that the other sections do not need. */
const OverviewSection = lazy(() => import('../overview/overview-section'));

export default function AdminLayout({ user }: { user: User }) {
  const { section } = useAdminUrl();
  const navigate = useNavigate();
  const [leavingFor, setLeavingFor] = useState('');
  useSearchKey();
  useRefreshToDo();

  const onLeave = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || link.target || link.hasAttribute('download') || !hasUnsavedChanges()) return;
    event.preventDefault();
    event.stopPropagation();
    setLeavingFor(link.pathname + link.search);
  };

  return (
    <div className="flex min-h-dvh max-md:flex-col" onClickCapture={onLeave}>
      <PhoneBar />
      {/* As high as the page; the sidebar itself stays in view. */}
      <div className="border-line bg-surface max-md:contents md:border-r">
        <Sidebar section={section} user={user} />
      </div>
      <div className="min-w-0 flex-1 px-4 pt-6 pb-16 max-md:pb-6 md:px-6 md:pt-4 xl:px-8">
        <div className="mb-5 max-w-xl max-md:hidden">
          <SearchBox />
        </div>
        {section === 'products' && <ProductsSection />}
        {section === 'orders' && <OrdersSection />}
        {section === 'to-do' && <ToDoSection />}
        {section === 'stock' && <StockSection />}
        {section === 'messages' && <MessagesSection />}
        {section === 'customers' && <CustomersSection />}
        {section === 'problems' && <ProblemsSection />}
        {section === 'invoices' && <InvoicesSection />}
        {section === 'reviews' && <ReviewsSection />}
        {section === 'pack-and-ship' && <PackAndShipSection />}
        {section === 'shipments' && <ShipmentsSection />}
        {section === 'discounts' && <DiscountsSection />}
        {section === 'overview' && (
          <Suspense fallback={<OverviewLoading />}>
            <OverviewSection />
          </Suspense>
        )}
        {(section === 'users' || section === 'team') && <ComingSoon title={sectionTitles[section]} />}
      </div>
      <ConfirmDialog
        open={leavingFor !== ''}
        question="Leave without saving?"
        hint="What you changed in this form has not been saved."
        action="Discard changes"
        onClose={() => setLeavingFor('')}
        onConfirm={() => {
          deleteAllDrafts();
          setLeavingFor('');
          void navigate(leavingFor);
        }}
      />
    </div>
  );
}
