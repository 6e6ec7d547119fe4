import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatForgetPlan, formatForgetReceipt } from '../../contract/index.ts';
import type { ForgetLine } from '../../contract/index.ts';
import { hasErrorCode } from '../api/api-error.ts';
import type { ForgetTarget } from '../api/forget-api.ts';
import { useServices } from '../shell/services.ts';
import { useLanguage, useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Modal } from '../ui/modal.tsx';
import { Notice } from '../ui/notice.tsx';
import { PathLabel } from '../ui/path-label.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { Spinner } from '../ui/spinner.tsx';

/** Shows everything that goes, before and after, asks for confirmation, removes exactly that, and shows a receipt. */
export function ForgetDialog({ target, onClose }: { target: ForgetTarget; onClose: () => void }) {
  const { api, client } = useServices();
  const { arrange: text, edit } = useText();
  const language = useLanguage();
  const [wholeSentences, setWholeSentences] = useState(target.wholeSentences ?? false);
  const named = { ...target, wholeSentences };
  const plan = useQuery({
    queryKey: ['forget', named],
    queryFn: () => api.forget.plan(named),
    gcTime: 0,
    retry: false,
    // What is confirmed must not change below the button.
    staleTime: Infinity,
  });
  const forget = useMutation({
    mutationFn: (shown: string) => api.forget.run(named, shown),
    onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'forget' }),
    onError: (error) => (hasErrorCode(error, 'changed-since') ? plan.refetch() : undefined),
  });
  const hasChanged = hasErrorCode(forget.error, 'changed-since');
  const error = (hasChanged ? null : forget.error) ?? plan.error;
  const receipt = forget.data;
  const shown = plan.isFetching ? undefined : plan.data;
  const lines =
    receipt === undefined
      ? shown && formatForgetPlan(shown, language)
      : formatForgetReceipt(receipt, language);
  const isPossible = shown !== undefined && shown.places.length > 0 && receipt === undefined;
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
        {receipt === undefined && (
          <SegmentedControl
            label={text.forget.extent}
            value={wholeSentences ? 'sentences' : 'words'}
            options={[
              { value: 'words', label: text.forget.words, isDisabled: isRunning },
              { value: 'sentences', label: text.forget.sentences, isDisabled: isRunning },
            ]}
            onChange={(value) => {
              forget.reset();
              setWholeSentences(value === 'sentences');
            }}
          />
        )}
        {hasChanged && <Notice tone="warn" title={text.forget.changed} />}
        {lines === undefined && error === null && <Spinner label={text.forget.searching} />}
        {lines !== undefined && <Lines lines={isPossible ? lines.slice(0, -1) : lines} />}
        {error !== null && <ErrorNotice error={error} />}
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line p-4">
        {/* The warning that there is no undo, which must be visible however long the list is. */}
        {isPossible && (
          <p className="w-full text-small">
            {lines
              ?.at(-1)
              ?.parts.map((part) => part.text)
              .join('')}
          </p>
        )}
        {isPossible && (
          <Button variant="danger" disabled={isRunning} onClick={() => forget.mutate(shown.shown)}>
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

const indents = ['mt-2 font-medium first:mt-0', 'ml-4 mt-1', 'ml-8 text-soft', 'ml-12', 'ml-16'];

const partClasses = {
  plain: '',
  place: '',
  goes: 'text-danger line-through',
  'goes-too': 'font-bold text-danger',
};

/** The lines of a plan or receipt: sentences, stores below them, places below these, and passages below these. */
function Lines({ lines }: { lines: readonly ForgetLine[] }) {
  return (
    <div className="text-small [overflow-wrap:anywhere]">
      {lines.map(({ indent, parts }, index) => (
        <p key={index} className={indents[indent / 2]}>
          {parts.map((part, at) =>
            part.style === 'goes-too' ? (
              <strong key={at} className={partClasses[part.style]}>
                {part.text}
              </strong>
            ) : (
              <span key={at} className={partClasses[part.style]}>
                {part.text}
              </span>
            ),
          )}
        </p>
      ))}
    </div>
  );
}
