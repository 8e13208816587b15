// The signed-in person's profile and addresses.
import { PageTitle } from '~/ui/page-title';

export default function ProfilePage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="My Profile" />
    </div>
  );
}
