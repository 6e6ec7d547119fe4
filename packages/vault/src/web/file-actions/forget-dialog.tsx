import { useMutation, useQuery } from '@tanstack/react-query';
import { formatForgetPlan, formatForgetReceipt } from '../../contract/index.ts';
import type { ForgetRequest } from '../api/forget-api.ts';
import { useServices } from '../shell/services.ts';
import { useLanguage, useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Modal } from '../ui/modal.tsx';
import { Spinner } from '../ui/spinner.tsx';

/** Shows every place that contains a passage, asks for confirmation, and shows what was removed. */
export function ForgetDialog({ target, onClose }: { target: ForgetRequest; onClose: () => void }) {
  const { api, client } = useServices();
  const { arrange: text, edit } = useText();
  const language = useLanguage();
  const plan = useQuery({
    queryKey: ['forget', target],
    queryFn: () => api.forget.plan(target),
    gcTime: 0,
    retry: false,
  });
  const forget = useMutation({
    mutationFn: () => api.forget.run(target),
    onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'forget' }),
  });
  const error = forget.error ?? plan.error;
  const lines =
    forget.data !== undefined
      ? formatForgetReceipt(forget.data, language)
      : plan.data && formatForgetPlan(plan.data, language);
  const isPossible = plan.data !== undefined && plan.data.places.length > 0 && forget.data === undefined;
  return (
    <Modal title={text.forget.title} isTitleShown isOpen onClose={onClose}>
      <div className="flex flex-col gap-3 overflow-auto p-4">
        {lines === undefined && error === null && <Spinner label={text.forget.searching} />}
        {lines !== undefined && (
          <pre className="overflow-auto text-small whitespace-pre-wrap">{lines.join('\n')}</pre>
        )}
        {error !== null && <ErrorNotice error={error} />}
        <div className="flex flex-wrap gap-2">
          {isPossible && (
            <Button variant="danger" disabled={forget.isPending} onClick={() => forget.mutate()}>
              {text.forget.confirm}
            </Button>
          )}
          <Button onClick={onClose}>{forget.data === undefined ? edit.cancel : text.forget.close}</Button>
        </div>
      </div>
    </Modal>
  );
}
