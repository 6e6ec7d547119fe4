import { useMutation, useQuery } from '@tanstack/react-query';
import { formatForgetPlan, formatForgetReceipt } from '../../contract/index.ts';
import type { ForgetRequest } from '../api/forget-api.ts';
import { useServices } from '../shell/services.ts';
import { useLanguage, useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Modal } from '../ui/modal.tsx';
import { PathLabel } from '../ui/path-label.tsx';
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
  const receipt = forget.data;
  const lines =
    receipt === undefined
      ? plan.data && formatForgetPlan(plan.data, language)
      : formatForgetReceipt(receipt, language);
  const isPossible = plan.data !== undefined && plan.data.places.length > 0 && receipt === undefined;
  const isRunning = forget.isPending;
  return (
    <Modal
      title={receipt === undefined ? text.forget.title : text.forget.done}
      isTitleShown
      isOpen
      onClose={isRunning ? () => undefined : onClose}
    >
      <div className="flex min-h-0 flex-col gap-3 overflow-auto p-4" tabIndex={0} role="group">
        {target.kind === 'path' && (
          <p className="text-small">
            <PathLabel path={target.path} />
            {target.lines !== null && (
              <span className="text-soft"> · {text.forget.lines(target.lines.start, target.lines.end)}</span>
            )}
          </p>
        )}
        {lines === undefined && error === null && <Spinner label={text.forget.searching} />}
        {lines !== undefined && <Places lines={isPossible ? lines.slice(0, -1) : lines} />}
        {error !== null && <ErrorNotice error={error} />}
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line p-4">
        {/* The warning that there is no undo, which must be visible however long the list is. */}
        {isPossible && <p className="w-full text-small">{lines?.at(-1)}</p>}
        {isPossible && (
          <Button variant="danger" disabled={isRunning} onClick={() => forget.mutate()}>
            {text.forget.confirm}
          </Button>
        )}
        {isRunning ? (
          <Spinner label={text.forget.removing} />
        ) : (
          <Button onClick={onClose}>{isPossible ? edit.cancel : text.forget.close}</Button>
        )}
      </div>
    </Modal>
  );
}

const indents = ['mt-2 font-medium first:mt-0', 'ml-4 mt-1', 'ml-8 text-soft'];

/** The lines of a plan or receipt: sentences, stores below them, and places below these. */
function Places({ lines }: { lines: readonly string[] }) {
  return (
    <div className="text-small [overflow-wrap:anywhere]">
      {lines.map((line, index) => (
        <p key={index} className={indents[(line.length - line.trimStart().length) / 2]}>
          {line.trim()}
        </p>
      ))}
    </div>
  );
}
