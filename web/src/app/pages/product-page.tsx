// Page.
import { PageTitle } from '~/ui/page-title';

export default function ProductPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Product" />
    </div>
  );
}
