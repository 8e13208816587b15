// About us.
import { AboutView } from '~/features/static-pages/about-view';

export default function AboutPage() {
  return <AboutView />;
}
