// The Profile tab: the user's data, with a form to change it.
import { useRef, useState } from 'react';
import type { User } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { formatPhone } from '~/lib/form/validation';
import { formatDate } from '~/lib/format';
import { Button } from '~/ui/button';
import { ErrorState } from '~/ui/feedback/error-state';
import { Loading, Skeleton } from '~/ui/feedback/states';
import { Field, Select } from '~/ui/forms/field';
import { AccountData } from './account-data';
import {
  checkProfile,
  FIELDS,
  GENDERS,
  genderText,
  LABELS,
  type ProfileValues,
  toFormValues,
} from './profile-form-model';
import { ProfilePicture } from './profile-picture';
import { useProfile, useSaveProfile } from './profile-queries';
import { SignOutEverywhere } from './sign-out-everywhere';

export function ProfileView() {
  const { data: profile, isPending, isError, refetch } = useProfile();
  const [editing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);

  if (isPending) {
    return (
      <Loading text="Loading...">
        <Skeleton className="h-80 w-full !rounded-lg" />
      </Loading>
    );
  }
  if (isError && !profile) return <ErrorState message="Failed to load profile" onRetry={() => void refetch()} />;
  if (!profile) return null;

  const leave = () => {
    setEditing(false);
    requestAnimationFrame(() => editButton.current?.focus());
  };
  return (
    <>
      <section className="grid overflow-hidden rounded-lg border border-line bg-surface shadow-card md:grid-cols-[17rem_1fr]">
        <ProfilePicture profile={profile} />
        {editing ? (
          <ProfileForm profile={profile} onDone={leave} />
        ) : (
          <div className="min-w-0 p-6 sm:p-9">
            <div className="flex flex-wrap items-start justify-between gap-3 max-md:text-center">
              <div className="min-w-0 max-md:w-full">
                <h2 className="text-heading break-words">{profile.name}</h2>
                <p className="mt-1 break-all text-ink-soft">{profile.email}</p>
              </div>
              <button
                ref={editButton}
                type="button"
                onClick={() => setEditing(true)}
                className="inline-flex min-h-11 items-center rounded-full border-2 border-ink/80 px-5 font-semibold transition hover:bg-ink hover:text-paper max-md:mx-auto"
              >
                Edit profile
              </button>
            </div>
            <dl className="mt-7 grid gap-x-10 gap-y-5 border-t border-line pt-6 sm:grid-cols-3">
              <Fact term={LABELS.phone} value={formatPhone(profile.phone ?? '')} />
              <Fact term={LABELS.dateOfBirth} value={formatDate(`${profile.dateOfBirth}T00:00:00+05:30`)} />
              <Fact term={LABELS.gender} value={genderText(profile.gender)} />
            </dl>
          </div>
        )}
      </section>
      <SignOutEverywhere />
      <AccountData />
    </>
  );
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt className="text-sm font-semibold text-ink-soft">{term}</dt>
      <dd className={`mt-0.5 text-lg ${value ? '' : 'text-ink-faint'}`}>{value || 'Not given'}</dd>
    </div>
  );
}

function ProfileForm({ profile, onDone }: { profile: User; onDone: () => void }) {
  const request = useSaveProfile();
  const form = useForm<ProfileValues, keyof ProfileValues>({
    initial: () => {
      const kept = toFormValues(profile);
      return { ...kept, phone: formatPhone(kept.phone) };
    },
    fields: FIELDS,
    request,
    check: (values) => checkProfile(values, new Date().toISOString().slice(0, 10)),
  });
  const input = (field: keyof ProfileValues) => ({ ...form.field(field), label: LABELS[field], name: field });
  const send = form.submit((values) => request.mutate(values, { onSuccess: onDone }));

  return (
    <form ref={form.ref} noValidate onSubmit={send} className="min-w-0 p-6 sm:p-9">
      <h2 className="text-heading">Edit profile</h2>
      <div className="mt-5 grid gap-x-5 gap-y-4 sm:grid-cols-2">
        <Field {...input('name')} required autoComplete="name" autoFocus />
        <Field label="Email" value={profile.email} readOnly hint="From your Google account" className="opacity-80" />
        <Field {...input('phone')} type="tel" inputMode="tel" autoComplete="tel" placeholder="98765 43210" />
        <Field {...input('dateOfBirth')} type="date" min="1900-01-01" autoComplete="bday" />
        <Select {...input('gender')} autoComplete="sex">
          <option value="">Not given</option>
          {GENDERS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      <div className="mt-7 flex flex-wrap gap-3">
        <Button type="submit" busy={form.isPending}>
          Save changes
        </Button>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
