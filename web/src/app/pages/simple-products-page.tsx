// Page.
import { PageTitle } from '~/ui/page-title';

export default function SimpleProductsPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Our Products" />
    </div>
  );
}
