// The frame of the admin console: the sidebar, the section the address names, and the question before unsaved changes
// are left behind.
import { type MouseEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { User } from '~/api/types';
import { Confirm } from '~/ui/confirm';
import { sectionTitles, useAdminAddress } from './address';
import { OrdersSection } from './orders-section';
import { dropDrafts } from './product-draft';
import { ProductsSection } from './products-section';
import { Sidebar } from './sidebar';
import { hasUnsaved } from './unsaved';

export default function Console({ user }: { user: User }) {
  const { section } = useAdminAddress();
  const navigate = useNavigate();
  const [leavingFor, setLeavingFor] = useState('');

  const onLeave = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || link.target || link.hasAttribute('download') || !hasUnsaved()) return;
    event.preventDefault();
    event.stopPropagation();
    setLeavingFor(link.pathname + link.search);
  };

  return (
    <div className="flex min-h-dvh max-md:flex-col" onClickCapture={onLeave}>
      <Sidebar section={section} user={user} />
      <div className="min-w-0 flex-1 px-4 pt-6 pb-16 md:px-6 xl:px-8">
        {section === 'products' && <ProductsSection />}
        {section === 'orders' && <OrdersSection />}
        {(section === 'users' || section === 'team') && <ComingSoon title={sectionTitles[section]} />}
      </div>
      <Confirm
        open={leavingFor !== ''}
        question="Leave without saving?"
        hint="What you changed in this form has not been saved."
        action="Discard changes"
        onClose={() => setLeavingFor('')}
        onConfirm={() => {
          dropDrafts();
          setLeavingFor('');
          void navigate(leavingFor);
        }}
      />
    </div>
  );
}

function ComingSoon({ title }: { title: string }) {
  return (
    <section aria-labelledby="section-title">
      <h1 id="section-title" className="text-heading">
        {title}
      </h1>
      <p className="mt-6 rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center text-lg text-ink-soft">
        coming soon
      </p>
    </section>
  );
}
