// The form of a review: stars, words, photos. A visitor fills it in before signing in; photos come afterwards.
import { isUnauthorized } from '~/api/error';
import type { OwnReview } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
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
  type ReviewDraft,
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
  const { save, progress } = useSaveReview(productId, review?._id);
  const form = useForm({
    initial: (): ReviewDraft => {
      const draft = review ? null : loadDraft(productId);
      return {
        stars: draft?.stars || chosen || review?.stars || 0,
        text: draft?.text ?? review?.text ?? '',
        kept: review?.images ?? [],
        photos: [],
      };
    },
    fields: REVIEW_FIELDS,
    request: save,
    check: checkReview,
  });
  const { kept, photos, stars } = form.values;
  const busy = form.isPending;

  const send = form.submit((draft) => {
    storeDraft(productId, draft);
    if (!isSignedIn) return openLogin();
    save.mutate(draft, {
      onSuccess: () => {
        deleteDraft(productId);
        onSaved();
      },
      onError: (error) => isUnauthorized(error) && openLogin(),
    });
  });

  return (
    <form ref={form.ref} onSubmit={send} noValidate className="space-y-6">
      <StarInput
        value={stars}
        disabled={busy}
        error={form.errors.stars}
        onChange={(next) => form.change({ stars: next })}
      />
      <TextArea
        {...form.field('text')}
        label="Your words"
        rows={5}
        disabled={busy}
        hint="What did you cook with it? How did it taste? You can leave this empty."
      />
      {isSignedIn ? (
        <>
          <KeptPhotos
            images={kept}
            disabled={busy}
            onRemove={(image) => form.change({ kept: kept.filter((one) => one !== image) })}
          />
          <PhotosField
            photos={photos}
            max={MAX_REVIEW_PHOTOS - kept.length}
            hint="Everyone can see them."
            disabled={busy}
            error={form.errors.images}
            onChange={(next, images) => {
              form.change({ photos: next });
              form.setErrors({ images });
            }}
          />
        </>
      ) : (
        <p className="text-ink-soft">You can add photos after you have signed in.</p>
      )}
      {form.error && <Alert>{form.error.message}</Alert>}
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
