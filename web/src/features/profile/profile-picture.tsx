// The user's profile picture or initial, with a button to change it.
import { useRef, useState } from 'react';
import type { User } from '~/api/types';
import { Button } from '~/ui/button';
import { toast } from '~/ui/feedback/toast';
import { CropDialog } from './crop-dialog';
import { useSavePicture } from './profile-queries';

export function ProfilePicture({ profile }: { profile: User }) {
  const [image, setImage] = useState<ImageBitmap | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const save = useSavePicture();
  const photo = profile.profilePicture ?? profile.photo;

  const onChosen = async (chosen: File | undefined) => {
    if (!chosen) return;
    try {
      setImage(await createImageBitmap(chosen, { imageOrientation: 'from-image' }));
    } catch {
      toast.error('Failed to update profile picture: that file is not a picture');
    }
  };

  return (
    <div className="relative flex flex-col items-center justify-center gap-3 bg-kokum px-6 py-8 text-on-kokum">
      <span aria-hidden="true" className="buta opacity-10" />
      <div className="relative rounded-full bg-turmeric p-1.5 shadow-lift">
        {photo ? (
          <img
            src={photo}
            alt={`${profile.name}, as others see you`}
            width={144}
            height={144}
            className="size-36 rounded-full bg-paper-deep object-cover"
          />
        ) : (
          <span
            aria-hidden="true"
            className="grid size-36 place-items-center rounded-full bg-cardamom-fill font-display text-6xl text-on-cardamom"
          >
            {profile.name.charAt(0).toUpperCase()}
          </span>
        )}
      </div>
      <Button
        variant="ghost"
        size="sm"
        className="relative !text-on-kokum underline underline-offset-4 hover:!bg-on-kokum/10"
        onClick={() => file.current?.click()}
      >
        {photo ? 'Change picture' : 'Add a picture'}
      </Button>
      <input
        ref={file}
        type="file"
        accept="image/*"
        aria-label="Profile picture"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          void onChosen(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <CropDialog
        image={image}
        busy={save.isPending}
        onClose={() => setImage(null)}
        onSave={(dataUrl) => save.mutate(dataUrl, { onSuccess: () => setImage(null) })}
      />
    </div>
  );
}
