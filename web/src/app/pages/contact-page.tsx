// Contact us: form, address, social links, map.
import { ContactDetails, ShopMap } from '~/features/contact/contact-details';
import { ContactForm } from '~/features/contact/contact-form';
import { PageTitle } from '~/ui/page-title';
import { SocialLinks } from '../layout/social-links';

export default function ContactPage() {
  return (
    <div className="page-width">
      <PageTitle title="Contact Us" above="बोला आमच्याशी">
        A question about a recipe, an order or a blend you miss: a person reads every message.
      </PageTitle>
      <div className="grid gap-12 lg:grid-cols-[1.25fr_1fr] lg:gap-16">
        <ContactForm />
        <ContactDetails social={<SocialLinks />} />
      </div>
      <div className="mt-14">
        <ShopMap />
      </div>
    </div>
  );
}
