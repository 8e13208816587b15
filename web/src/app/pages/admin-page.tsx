// The admin console.
import { PageTitle } from '~/ui/page-title';

export default function AdminPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Admin console" />
    </div>
  );
}
