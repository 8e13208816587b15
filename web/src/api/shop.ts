// The shop's identity for components: from the program, or a quiet stand-in until it has answered.
import { useQuery } from '@tanstack/react-query';
import { shopIdentity } from './catalogue';
import type { Shop } from './types';

const unknownShop: Shop = {
  name: 'Mirasa',
  tagline: '',
  legalName: '',
  supportPhone: '',
  supportEmail: '',
  address: '',
  fssai: '',
  grievanceOfficer: { name: '', email: '', phone: '' },
  social: { instagram: '', facebook: '', youtube: '', x: '' },
  whatsapp: '',
  map: { latitude: 0, longitude: 0, label: '' },
  publicUrl: '',
  sandbox: false,
  imageHosts: [],
};

export function useShop(): Shop {
  return useQuery({ ...shopIdentity, staleTime: Number.POSITIVE_INFINITY }).data ?? unknownShop;
}
