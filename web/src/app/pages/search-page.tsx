// Page.
import { PageTitle } from '~/ui/page-title';

export default function SearchPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Search" />
    </div>
  );
}
