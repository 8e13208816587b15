// Page.
import { PageTitle } from '~/ui/page-title';

export default function SubProductsPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Products" />
    </div>
  );
}
