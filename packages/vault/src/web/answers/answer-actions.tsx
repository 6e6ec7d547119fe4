import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Check, Copy, FileDown, RotateCcw, Square, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SavedAnswer } from '../api/answers-api.ts';
import { useUndo } from '../activity/use-undo.ts';
import { useServices } from '../shell/services.ts';
import { WriterOnly } from '../shell/use-viewer.ts';
import { useText } from '../text/use-text.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { useAsk } from './use-ask.ts';

const row = '-ml-3 flex flex-wrap items-center gap-1';

/** The actions for an answer. */
export function AnswerActions({ answer }: { answer: SavedAnswer }) {
  const { api, toasts } = useServices();
  const text = useText().answer;
  const ask = useAsk();
  const stop = useMutation({ mutationFn: () => api.answers.stop(answer.id), onError: toasts.showError });
  if (answer.state === 'running')
    return (
      <div className={row}>
        <Button variant="ghost" disabled={stop.isPending} onClick={() => stop.mutate()}>
          <Square aria-hidden className="size-4" />
          {text.stop}
        </Button>
      </div>
    );
  return (
    <div className={row}>
      {answer.answer !== null && (
        <>
          <CopyButton markdown={`# ${answer.question}\n\n${answer.answer.document}\n`} />
          <WriterOnly>
            <FileButton id={answer.id} />
          </WriterOnly>
        </>
      )}
      <Button
        variant="ghost"
        onClick={() => void ask(answer.question, answer.follows ?? undefined).catch(toasts.showError)}
      >
        <RotateCcw aria-hidden className="size-4" />
        {text.again}
      </Button>
      <WriterOnly>
        <DeleteButton answer={answer} />
      </WriterOnly>
    </div>
  );
}

function CopyButton({ markdown }: { markdown: string }) {
  const { answer, shell } = useText();
  const [isCopied, setIsCopied] = useState(false);
  return (
    <Button variant="ghost" onClick={() => void copyText(markdown).then(() => setIsCopied(true))}>
      {isCopied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
      {isCopied ? shell.copied : answer.copy}
    </Button>
  );
}

/** Saves the answer as a note in a bucket. It can be undone here until the user leaves the page. */
function FileButton({ id }: { id: string }) {
  const { api, toasts } = useServices();
  const text = useText();
  const file = useMutation({ mutationFn: () => api.answers.file(id), onError: toasts.showError });
  const undoChange = useUndo();
  if (file.data === undefined)
    return (
      <Button variant="ghost" disabled={file.isPending} onClick={() => file.mutate()}>
        <FileDown aria-hidden className="size-4" />
        {text.answer.file}
      </Button>
    );
  const { path, change } = file.data;
  return (
    <>
      <Link to="/file/$" params={{ _splat: path.replace(/^vault\//, '') }} className={buttonClass('ghost')}>
        <Check aria-hidden className="size-4" />
        {text.answer.filed}
      </Link>
      {change !== null && (
        <Button variant="ghost" onClick={() => void undoChange(change, () => file.reset())}>
          {text.activity.undo}
        </Button>
      )}
    </>
  );
}

function DeleteButton({ answer }: { answer: SavedAnswer }) {
  const { api, client, toasts } = useServices();
  const text = useText().answer;
  const navigate = useNavigate();
  const other = answer.thread.findLast((each) => each !== answer.id);
  const remove = useMutation({
    mutationFn: () => api.answers.delete(answer.id),
    onSuccess: async () => {
      await navigate(
        other === undefined ? { to: '/answers' } : { to: '/answers/$id', params: { id: other } },
      );
      client.removeQueries({ queryKey: ['answers', answer.id] });
      await client.invalidateQueries({ queryKey: ['answers'] });
    },
    onError: toasts.showError,
  });
  return (
    <Button variant="ghost" disabled={remove.isPending} onClick={() => remove.mutate()}>
      <Trash2 aria-hidden className="size-4" />
      {text.remove}
    </Button>
  );
}
