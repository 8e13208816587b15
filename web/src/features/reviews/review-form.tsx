// The form of a review: stars, words, photos. A visitor fills it in before signing in; photos come afterwards.
import { type FormEvent, useRef, useState } from 'react';
import { fieldOf, isUnauthorized } from '~/api/error';
import type { OwnReview } from '~/api/types';
import { openLogin } from '~/shared/auth/overlay-store';
import { PhotosField } from '~/shared/photo/photos-field';
import { Button, IconButton } from '~/ui/button';
import { Alert } from '~/ui/feedback/alert';
import { TextArea } from '~/ui/forms/field';
import { Icon } from '~/ui/graphics/icons';
import {
  checkReview,
  deleteDraft,
  loadDraft,
  MAX_REVIEW_PHOTOS,
  REVIEW_FIELDS,
  type ReviewErrors,
  storeDraft,
} from './review-draft';
import { useSaveReview } from './review-queries';
import { StarInput } from './star-input';

type Props = {
  productId: string;
  /** The review to change. */
  review?: OwnReview;
  /** Chosen in the email. */
  stars: number;
  isSignedIn: boolean;
  onSaved: () => void;
};

export function ReviewForm({ productId, review, stars: chosen, isSignedIn, onSaved }: Props) {
  const [draft] = useState(() => (review ? null : loadDraft(productId)));
  const [stars, setStars] = useState(draft?.stars || chosen || review?.stars || 0);
  const [text, setText] = useState(draft?.text ?? review?.text ?? '');
  const [kept, setKept] = useState<readonly string[]>(review?.images ?? []);
  const [photos, setPhotos] = useState<readonly File[]>([]);
  const [checked, setChecked] = useState<ReviewErrors>({});
  const { save, progress } = useSaveReview(productId, review?._id);
  const form = useRef<HTMLFormElement>(null);
  const busy = save.isPending;
  const rejected = fieldOf(save.error, REVIEW_FIELDS);
  const errors: ReviewErrors = { ...checked, ...(rejected && { [rejected]: save.error?.message }) };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = checkReview({ stars, text });
    setChecked(found);
    save.reset();
    if (found.stars) return form.current?.querySelector<HTMLElement>('input')?.focus();
    if (found.text) return form.current?.querySelector('textarea')?.focus();
    storeDraft(productId, { stars, text });
    if (!isSignedIn) return openLogin();
    save.mutate(
      { stars, text, kept, photos },
      {
        onSuccess: () => {
          deleteDraft(productId);
          onSaved();
        },
        onError: (error) => isUnauthorized(error) && openLogin(),
      },
    );
  };

  return (
    <form ref={form} onSubmit={onSubmit} noValidate className="space-y-6">
      <StarInput
        value={stars}
        disabled={busy}
        error={errors.stars}
        onChange={(next) => {
          setStars(next);
          setChecked(({ stars: _, ...rest }) => rest);
        }}
      />
      <TextArea
        label="Your words"
        rows={5}
        value={text}
        disabled={busy}
        error={errors.text}
        hint="What did you cook with it? How did it taste? You can leave this empty."
        onChange={(event) => {
          setText(event.target.value);
          setChecked(({ text: _, ...rest }) => rest);
        }}
      />
      {isSignedIn ? (
        <>
          <KeptPhotos
            images={kept}
            disabled={busy}
            onRemove={(image) => setKept(kept.filter((one) => one !== image))}
          />
          <PhotosField
            photos={photos}
            max={MAX_REVIEW_PHOTOS - kept.length}
            hint="Everyone can see them."
            disabled={busy}
            error={errors.images}
            onChange={(next, error) => {
              setPhotos(next);
              setChecked(({ images: _, ...rest }) => (error ? { ...rest, images: error } : rest));
            }}
          />
        </>
      ) : (
        <p className="text-ink-soft">You can add photos after you have signed in.</p>
      )}
      {save.error && !rejected && <Alert>{save.error.message}</Alert>}
      <p className="text-sm text-ink-soft">
        Others see your first name and the initial of your last name with the review.
      </p>
      <Button type="submit" size="lg" busy={busy} className="w-full">
        {busy
          ? photos.length > 0 && progress < 1
            ? `Sending... ${Math.round(progress * 100)} %`
            : 'Saving...'
          : isSignedIn
            ? review
              ? 'Save changes'
              : 'Publish review'
            : 'Sign in to publish'}
      </Button>
    </form>
  );
}

type KeptProps = { images: readonly string[]; disabled: boolean; onRemove: (image: string) => void };

function KeptPhotos({ images, disabled, onRemove }: KeptProps) {
  if (images.length === 0) return null;
  return (
    <ul aria-label="Photos of your review" className="flex flex-wrap gap-3">
      {images.map((image, at) => (
        <li key={image} className="relative">
          <span className="block size-24 overflow-hidden rounded-md border border-line bg-paper-deep">
            <img src={`${image}?w=320`} alt="" className="size-full object-cover" />
          </span>
          <IconButton
            label={`Remove stored photo ${at + 1}`}
            disabled={disabled}
            className="!absolute -top-3 -right-3 border border-line !bg-raised shadow-card"
            onClick={() => onRemove(image)}
          >
            <Icon name="close" className="size-4.5" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
