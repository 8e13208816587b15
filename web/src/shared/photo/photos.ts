// Which files can be sent as photos. The limits are those of crates/app/src/ports/images.rs; the server decides.

const MAX_PHOTO_BYTES = 20 * 1024 * 1024;
/** Without HEIC: phones then hand over a JPEG. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'];

/** The photos with those of the new files that can be sent, and why the others cannot. */
export function addPhotos(
  photos: readonly File[],
  files: readonly File[],
  max: number,
): { photos: File[]; error: string } {
  const errors = files.map(photoError);
  const good = files.filter((_, at) => !errors[at]);
  const tooMany = photos.length + good.length > max ? `At most ${max} photos` : '';
  return {
    photos: [...photos, ...good].slice(0, max),
    error: [...new Set([...errors, tooMany])].filter(Boolean).join('. '),
  };
}

function photoError({ name, type, size }: File): string {
  if (!PHOTO_TYPES.includes(type)) return `${name} is not a JPEG, PNG or WebP picture`;
  return size > MAX_PHOTO_BYTES ? `${name} is larger than 20 MB` : '';
}
