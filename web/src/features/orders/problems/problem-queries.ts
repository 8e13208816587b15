// Reporting a problem with a parcel.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { postForm } from '~/api/upload';
import { toast } from '~/ui/feedback/toast';
import { useReloadOrders } from '../order-queries';
import { type ProblemDraft, problemForm } from './problem-draft';

export function useReportProblem(id: string) {
  const [progress, setProgress] = useState(0);
  const reloadOrders = useReloadOrders();
  const report = useMutation({
    mutationFn: (draft: ProblemDraft) =>
      postForm('/api/user/orders/{id}/problems', {
        path: { id },
        form: problemForm(draft),
        fallback: 'Failed to send your report',
        onProgress: setProgress,
      }),
    onMutate: () => setProgress(0),
    onSuccess: () => toast.success('Thank you, we have your report'),
    // Also after an error: the day may be over, or another tab has reported it.
    onSettled: reloadOrders,
  });
  return { report, progress };
}
