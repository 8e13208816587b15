// Product images that are given as URLs. The content security policy allows them from the configured hosts only
// (`pictures.image_hosts`), so pages request no others.
import { createContext } from 'react';

export const ImageHosts = createContext<readonly string[]>([]);

/** A URL, and not the name of an uploaded file. */
export const isImageUrl = (file: string): boolean => /^([a-z][a-z\d+.-]*:)?[\\/]{2}/i.test(file);

/** The host of an https URL as browsers write it; `null` where it is no such URL. */
export function imageHost(file: string): string | null {
  const host = /^https:\/\/([^/?#@\\\s]+)(?:[/?#]|$)/i.exec(file)?.[1];
  return host ? host.toLowerCase().replace(/:443$/, '') : null;
}

/** Whether a page may request this image. */
export function canShowImage(file: string, hosts: readonly string[]): boolean {
  if (!isImageUrl(file)) return file !== '';
  const host = imageHost(file);
  return host !== null && hosts.includes(host);
}
