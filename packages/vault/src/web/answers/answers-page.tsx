import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CornerDownRight, MessageCircleQuestion } from 'lucide-react';
import { useState } from 'react';
import type { SavedAnswerSummary } from '../api/answers-api.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';

/** All stored answers, newest first. */
export function AnswersPage() {
  const { queries } = useServices();
  const text = useText().answers;
  const { data, error } = useQuery({ ...queries.answers.list, refetchOnMount: 'always' });
  const isEmpty = data?.answers.length === 0;
  const hasAnswers = data !== undefined && !isEmpty;
  return (
    <Page title={text.title} about={isEmpty ? undefined : text.kept} actions={hasAnswers && <DeleteAll />}>
      {error !== null && <ErrorNotice error={error} />}
      {isEmpty && <EmptyState icon={MessageCircleQuestion} title={text.empty} hint={text.emptyHint} />}
      {hasAnswers && (
        <ul className="divide-y divide-line overflow-hidden rounded-medium border border-line bg-surface">
          {data.answers.map((answer) => (
            <li key={answer.id}>
              <Row answer={answer} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function Row({
  answer: { id, question, askedAt, follows, state, by, sources },
}: {
  answer: SavedAnswerSummary;
}) {
  const text = useText();
  const format = useFormat();
  return (
    <Link
      to="/answers/$id"
      params={{ id }}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5 text-small -outline-offset-2 hover:bg-hover"
    >
      {follows !== null && (
        <CornerDownRight aria-label={text.answers.follows} className="size-4 shrink-0 text-soft" />
      )}
      <span className="line-clamp-2 min-w-0 flex-1 basis-48 break-words">{question}</span>
      {state !== 'done' && (
        <Badge tone={state === 'running' ? 'accent' : 'warn'}>{text.answers.states[state]}</Badge>
      )}
      <span className="text-tiny text-soft">
        {by === 'search' && `${text.answers.bySearch} · `}
        {state === 'done' && `${text.answer.evidence(sources)} · `}
        {format.ago(askedAt)}
      </span>
    </Link>
  );
}

/** Deletes all answers. Asks for confirmation, because this cannot be undone. */
function DeleteAll() {
  const { api, client, toasts } = useServices();
  const text = useText();
  const [isConfirming, setIsConfirming] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.answers.deleteAll(),
    onSuccess: () => client.resetQueries({ queryKey: ['answers'] }),
    onError: toasts.showError,
  });
  if (!isConfirming)
    return (
      <Button variant="ghost" onClick={() => setIsConfirming(true)}>
        {text.answers.deleteAll}
      </Button>
    );
  return (
    <>
      <Button variant="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
        {text.answers.deleteAllSure}
      </Button>
      <Button onClick={() => setIsConfirming(false)}>{text.edit.cancel}</Button>
    </>
  );
}
