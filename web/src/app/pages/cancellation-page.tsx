// Page.
import { PageTitle } from '~/ui/page-title';

export default function CancellationPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Cancellation" />
    </div>
  );
}
