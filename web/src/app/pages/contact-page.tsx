// Page.
import { PageTitle } from '~/ui/page-title';

export default function ContactPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Contact Us" />
    </div>
  );
}
