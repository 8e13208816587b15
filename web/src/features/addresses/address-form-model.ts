// The values of the address form and their checks. The rules and the list of states are those of
// crates/domain/src/address.rs, repeated so that the form can show errors at once; the server decides.
import type { Address, User } from '~/api/types';
import { checkPhone, checkPincode, checkRequired, checkText, formatPhone } from '~/lib/form/validation';

export const STATES = [
  'Andaman and Nicobar Islands',
  'Andhra Pradesh',
  'Arunachal Pradesh',
  'Assam',
  'Bihar',
  'Chandigarh',
  'Chhattisgarh',
  'Dadra and Nagar Haveli and Daman and Diu',
  'Delhi',
  'Goa',
  'Gujarat',
  'Haryana',
  'Himachal Pradesh',
  'Jammu and Kashmir',
  'Jharkhand',
  'Karnataka',
  'Kerala',
  'Ladakh',
  'Lakshadweep',
  'Madhya Pradesh',
  'Maharashtra',
  'Manipur',
  'Meghalaya',
  'Mizoram',
  'Nagaland',
  'Odisha',
  'Puducherry',
  'Punjab',
  'Rajasthan',
  'Sikkim',
  'Tamil Nadu',
  'Telangana',
  'Tripura',
  'Uttar Pradesh',
  'Uttarakhand',
  'West Bengal',
];

export type AddressValues = Omit<Address, '_id'>;
export type AddressField = Exclude<keyof AddressValues, 'isDefault'>;
export type AddressErrors = Partial<Record<AddressField, string>>;

export const LABELS: Record<AddressField, string> = {
  addressName: 'Address name',
  name: 'Full name',
  phone: 'Phone',
  pincode: 'Pincode',
  addressLine1: 'Address line 1',
  addressLine2: 'Address line 2',
  city: 'City',
  state: 'State',
};

/** In the order of the form, so that the first error is the topmost. */
export const FIELDS = Object.keys(LABELS) as AddressField[];

export const emptyAddress: AddressValues = {
  addressName: '',
  name: '',
  phone: '',
  addressLine1: '',
  addressLine2: '',
  city: '',
  state: '',
  pincode: '',
  isDefault: false,
};

/** A new address has the user's name and phone: of the profile, else of the default or first address. */
export function newAddress(user: Pick<User, 'name' | 'phone'> | null, addresses: Address[]): AddressValues {
  const known = addresses.find((address) => address.isDefault) ?? addresses[0];
  return {
    ...emptyAddress,
    name: user?.name || known?.name || '',
    phone: formatPhone(user?.phone || known?.phone || ''),
  };
}

const checks: Record<AddressField, (text: string) => string> = {
  addressName: (text) => checkRequired(LABELS.addressName, text, 60),
  name: (text) => checkRequired(LABELS.name, text, 100),
  phone: (text) => checkPhone(LABELS.phone, text),
  pincode: (text) => checkPincode(LABELS.pincode, text),
  addressLine1: (text) => checkRequired(LABELS.addressLine1, text, 200),
  addressLine2: (text) => checkText(LABELS.addressLine2, text, 200),
  city: (text) => checkRequired(LABELS.city, text, 100),
  state: (text) => (text ? (STATES.includes(text) ? '' : 'State must be an Indian state') : 'State is required'),
};

export function checkField(field: AddressField, values: AddressValues): string {
  return checks[field](values[field]);
}

export function checkAddress(values: AddressValues): AddressErrors {
  const errors: AddressErrors = {};
  for (const field of FIELDS) {
    const error = checkField(field, values);
    if (error) errors[field] = error;
  }
  return errors;
}

/** The state as the form spells it; empty where a pincode lookup names one that the form does not know. */
export function matchState(text: string): string {
  const plain = (state: string) => state.toLowerCase().replace(/&/g, 'and').replace(/\s+/g, ' ').trim();
  return STATES.find((state) => plain(state) === plain(text)) ?? '';
}
