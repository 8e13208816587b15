// Messages for admins: why customers do not see an image that is given as a URL. Empty where they do.
import { canShowImage, imageHost } from '~/shared/product/images/image-hosts';

const SETTING = 'image_hosts under [pictures] in the configuration';

export function imageProblem(file: string, hosts: readonly string[]): string {
  if (file === '' || canShowImage(file, hosts)) return '';
  const host = imageHost(file);
  return host === null
    ? 'Customers do not see this image: only addresses that begin with https:// can be shown.'
    : `Customers do not see this image: ${host} is not in ${SETTING}. Add it there, or upload the image.`;
}

/** The message after a product has been saved. */
export function savedImagesProblem(images: string[], hosts: readonly string[]): string {
  const unseen = images.filter((file) => imageProblem(file, hosts) !== '');
  if (unseen.length === 0) return '';
  const names = [...new Set(unseen.map(imageHost))].filter((host) => host !== null);
  const what = unseen.length === 1 ? '1 image' : `${unseen.length} images`;
  const why =
    names.length > 0
      ? `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not in ${SETTING}.`
      : 'only addresses that begin with https:// can be shown.';
  return `Customers do not see ${what}: ${why}`;
}
