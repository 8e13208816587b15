// The uploaded files, with their progress and the actions for stored ones.
import { useState } from 'react';
import { productImageUrl } from '~/shared/product/images/image-url';
import { Button, ButtonLink, IconButton } from '~/ui/button';
import { Icon } from '~/ui/graphics/icons';
import { CopyButton } from '../../console/copy-button';
import { adminPath } from '../../console/url-state';
import { AttachImageDialog } from './attach-image-dialog';
import { removeUpload, type Upload, useUploads } from './uploads';

export function UploadList() {
  const uploads = useUploads();
  const [attaching, setAttaching] = useState('');
  if (uploads.length === 0) return null;
  return (
    <>
      <ul aria-label="Uploads" className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface">
        {uploads.map((upload) => (
          <li key={upload.key} className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
            <Thumb upload={upload} />
            <div className="min-w-40 flex-1">
              {upload.state === 'stored' ? (
                <CopyButton text={upload.stored} />
              ) : (
                <p className="break-all">{upload.name}</p>
              )}
              <UploadProgress upload={upload} />
            </div>
            {upload.state === 'stored' && (
              <>
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={`Attach ${upload.stored} to a product`}
                  onClick={() => setAttaching(upload.stored)}
                >
                  Attach to a product
                </Button>
                <ButtonLink
                  variant="ghost"
                  size="sm"
                  to={adminPath('products', { product: 'new', image: upload.stored })}
                  aria-label={`New product with ${upload.stored}`}
                >
                  New product
                </ButtonLink>
              </>
            )}
            {(upload.state === 'stored' || upload.state === 'failed') && (
              <IconButton label={`Take ${upload.name} off this list`} onClick={() => removeUpload(upload.key)}>
                <Icon name="close" className="size-5" />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      <AttachImageDialog file={attaching} onClose={() => setAttaching('')} />
    </>
  );
}

export function UploadProgress({ upload }: { upload: Upload }) {
  if (upload.state === 'stored') return null;
  if (upload.state === 'failed') return <p className="text-sm font-semibold text-chilli">{upload.error}</p>;
  return (
    <div
      role="progressbar"
      aria-label={upload.name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(upload.progress * 100)}
      className="mt-1 h-1.5 overflow-hidden rounded-full bg-line"
    >
      <div
        className="h-full rounded-full bg-cardamom transition-[width]"
        style={{ width: `${upload.progress * 100}%` }}
      />
    </div>
  );
}

function Thumb({ upload }: { upload: Upload }) {
  return upload.state === 'stored' ? (
    <img
      src={productImageUrl(upload.stored, 160)}
      alt=""
      width={44}
      height={44}
      className="size-11 rounded-sm bg-paper-deep object-cover"
    />
  ) : (
    <span className="grid size-11 place-items-center rounded-sm bg-paper-deep">
      {upload.state === 'failed' && <Icon name="alert" className="size-5 text-chilli" />}
    </span>
  );
}
