// Page.
import { PageTitle } from '~/ui/page-title';

export default function TermsPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Terms" />
    </div>
  );
}
