// The import of products from a file.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { keysByContent } from '~/api/idempotency-key';
import { postForm } from '~/api/upload';
import { plural } from '~/lib/format';
import { toast } from '~/ui/feedback/toast';
import { useInvalidateProducts } from '../product-queries';

export function useImportProducts({ isDryRun }: { isDryRun: boolean }) {
  const invalidate = useInvalidateProducts();
  const [keyOf] = useState(keysByContent);
  return useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.append('file', file);
      const query = { dryRun: isDryRun };
      // A file that is chosen again after it was corrected has another time.
      const key = keyOf([file.name, file.size, file.lastModified]);
      return postForm('/api/admin/products/import', {
        query,
        headers: isDryRun ? {} : { 'Idempotency-Key': key },
        form,
        fallback: 'Failed to read the file',
      });
    },
    onSuccess: ({ applied, added, changed }) => {
      if (!applied) return;
      toast.success(`${plural(added + changed, 'product')} imported`);
      void invalidate();
    },
  });
}
