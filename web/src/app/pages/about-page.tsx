// About us.
import { AboutView } from '~/features/pages/about-view';

export default function AboutPage() {
  return <AboutView />;
}
