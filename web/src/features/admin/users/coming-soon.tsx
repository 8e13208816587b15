// The Users and Team sections, which do not exist yet.
import { AdminSection } from '../console/admin-section';

export function ComingSoon({ title }: { title: string }) {
  return (
    <AdminSection title={title}>
      <p className="mt-6 rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center text-lg text-ink-soft">
        coming soon
      </p>
    </AdminSection>
  );
}
