// The values of the profile form and their checks. The rules are in crates/domain/src/user.rs; the server decides.
import type { User } from '~/api/types';
import { checkPhone, checkRequired } from '~/lib/form/validation';

export const GENDERS: { value: string; label: string }[] = [
  { value: 'female', label: 'Female' },
  { value: 'male', label: 'Male' },
  { value: 'other', label: 'Other' },
  { value: 'prefer-not-to-say', label: 'Prefer not to say' },
];

export type ProfileValues = { name: string; phone: string; dateOfBirth: string; gender: string };
export type ProfileErrors = Partial<Record<keyof ProfileValues, string>>;

export const LABELS: Record<keyof ProfileValues, string> = {
  name: 'Name',
  phone: 'Phone',
  dateOfBirth: 'Date of birth',
  gender: 'Gender',
};

export const FIELDS = ['name', 'phone', 'dateOfBirth', 'gender'] as const;

export function toFormValues(profile: User): ProfileValues {
  return {
    name: profile.name,
    phone: profile.phone ?? '',
    dateOfBirth: profile.dateOfBirth ?? '',
    gender: profile.gender ?? '',
  };
}

/** Only the name is required; the rest is checked where it is given. `today` as '2026-11-15'. */
export function checkProfile(values: ProfileValues, today: string): ProfileErrors {
  const errors: ProfileErrors = {};
  const name = checkRequired(LABELS.name, values.name, 100);
  if (name) errors.name = name;
  const phone = values.phone.trim() ? checkPhone(LABELS.phone, values.phone) : '';
  if (phone) errors.phone = phone;
  const born = values.dateOfBirth;
  if (born && (!/^(19|20)\d\d-\d\d-\d\d$/.test(born) || born > today)) {
    errors.dateOfBirth = 'Date of birth must be a day in the past';
  }
  return errors;
}

export function genderText(gender: string | null): string {
  return GENDERS.find(({ value }) => value === gender)?.label ?? '';
}
