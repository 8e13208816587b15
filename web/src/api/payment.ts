// On to the gateway: the browser leaves for the payment page that the program names.
const FAILED = 'Failed to initiate payment';

export type PaymentBegun = { redirectUrl?: string; merchantOrderId?: string };

/** Only a web address or a path of this shop: a browser would also run what follows `javascript:`. */
export function leaveForPayment({ redirectUrl }: PaymentBegun): void {
  if (!redirectUrl || !/^(https?:\/\/|\/(?!\/))/.test(redirectUrl)) throw new Error(FAILED);
  window.location.assign(redirectUrl);
}
