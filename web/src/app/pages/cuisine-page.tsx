// Page.
import { PageTitle } from '~/ui/page-title';

export default function CuisinePage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Cuisine" />
    </div>
  );
}
