// A text with a button that copies it to the clipboard.
import { useState } from 'react';
import { IconButton } from '~/ui/button';
import { toast } from '~/ui/feedback/toast';
import { Icon } from '~/ui/graphics/more-icons';
import { AdminIcon } from './admin-icon';

export function CopyButton({ text }: { text: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    } catch {
      toast.error('The browser did not allow copying');
    }
  };
  return (
    <span className="inline-flex min-w-0 items-center">
      <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
      <IconButton label={`Copy ${text}`} className="!size-8" onClick={() => void copy()}>
        {done ? <Icon name="check" className="size-4 text-cardamom" /> : <AdminIcon name="copy" className="size-4" />}
      </IconButton>
    </span>
  );
}
