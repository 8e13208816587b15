// Redirects the browser to the payment page of a checkout response.
import type { CheckoutResponse } from './types';

const FAILED = 'Failed to initiate payment';

/** Accepts http(s) URLs and paths of this shop only: a browser would also run a `javascript:` URL. */
export function redirectToPayment({ redirectUrl }: CheckoutResponse): void {
  if (!redirectUrl || !/^(https?:\/\/|\/(?!\/))/.test(redirectUrl)) throw new Error(FAILED);
  window.location.assign(redirectUrl);
}
