// Page.
import { PageTitle } from '~/ui/page-title';

export default function AboutPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="About Us" />
    </div>
  );
}
