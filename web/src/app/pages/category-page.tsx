// Page.
import { PageTitle } from '~/ui/page-title';

export default function CategoryPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Category" />
    </div>
  );
}
