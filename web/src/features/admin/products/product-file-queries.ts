// The import of products from a file.
import { useMutation } from '@tanstack/react-query';
import { postForm } from '~/api/upload';
import { plural } from '~/ui/format';
import { toast } from '~/ui/toast';
import { useInvalidateProducts } from './product-queries';

export function useImportProducts({ isDryRun }: { isDryRun: boolean }) {
  const invalidate = useInvalidateProducts();
  return useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.append('file', file);
      const query = { dryRun: isDryRun };
      return postForm('/api/admin/products/import', { query, form, fallback: 'Failed to read the file' });
    },
    onSuccess: ({ applied, added, changed }) => {
      if (!applied) return;
      toast.success(`${plural(added + changed, 'product')} imported`);
      void invalidate();
    },
  });
}
