// The shop's name, contacts and settings for components; a default until the server has responded.
import { useQuery } from '@tanstack/react-query';
import type { Shop } from '../types';
import { shopQuery } from './catalogue';

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
  return useQuery({ ...shopQuery, staleTime: Number.POSITIVE_INFINITY }).data ?? unknownShop;
}
