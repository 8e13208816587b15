// Page.
import { PageTitle } from '~/ui/page-title';

export default function PrivacyPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Privacy" />
    </div>
  );
}
