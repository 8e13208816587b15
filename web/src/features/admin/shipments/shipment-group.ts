// The parts of the list of parcels, their place in the URL, and the files of selected parcels.
import type { Shipment } from '~/api/types';
import { keyOf, pageNumber, urlFilter } from '~/lib/router/url-filter';

export const SHIPMENTS_PER_PAGE = 25;

export const GROUP_LABELS = {
  all: 'All',
  attention: 'Needs you',
  unscanned: 'Without a scan',
  preparing: 'To hand over',
  underway: 'On the way',
  delivered: 'Delivered',
  returned: 'Returned, cancelled',
};

export type ShipmentGroup = keyof typeof GROUP_LABELS;

export const shipmentsUrl = urlFilter({ group: keyOf(GROUP_LABELS, 'all'), page: pageNumber });

const fileUrl = (path: string, ids: string[]) => `${path}?shipments=${ids.map(encodeURIComponent).join(',')}`;

export const labelsUrl = (ids: string[]) => fileUrl('/api/admin/labels.pdf', ids);
export const manifestUrl = (ids: string[]) => fileUrl('/api/admin/manifest.pdf', ids);

/** A label is kept until the parcel ends. */
export const canPrint = ({ hasLabel }: Pick<Shipment, 'hasLabel'>) => hasLabel;

const stepTexts: Record<string, string> = {
  create: 'Registering with the partner',
  assign: 'Ordering the courier',
  label: 'Fetching the label',
  pickup: 'Requesting the pickup',
  manifest: 'Closing the manifest',
  cancel: 'Cancelling',
};

/** What the server does with the parcel now; nothing while it only follows it. */
export const stepText = ({ step }: Pick<Shipment, 'step'>): string | undefined => stepTexts[step];

/** '1.24 kg' or '450 g'. */
export function formatWeight(grams: number): string {
  return grams < 1000 ? `${grams} g` : `${Number((grams / 1000).toFixed(2))} kg`;
}
