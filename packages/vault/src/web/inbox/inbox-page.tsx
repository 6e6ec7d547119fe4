import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { FolderOpen, Inbox, Paperclip } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { DiffList } from '../activity/diff-list.tsx';
import { ApprovalButtons } from '../activity/update-actions.tsx';
import { useUndoUpdate } from '../activity/use-undo-update.ts';
import type { InboxChoice } from '../../contract/index.ts';
import type { InboxItem } from '../api/inbox-api.ts';
import type { UpdateRecord } from '../api/updates-api.ts';
import { draftKey, focusComposer, clearSentText, setDraftText } from '../composer/composer-state.ts';
import { compareTexts } from '../edit/merge.ts';
import { Markdown } from '../file/markdown.tsx';
import { useStore } from '../live/store.ts';
import { createId } from '../api/create-id.ts';
import { useServices } from '../shell/services.ts';
import { useViewer } from '../shell/use-viewer.ts';
import { useFormat } from '../text/format.ts';
import { translateReason } from '../text/translate-reason.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { ConflictColumns } from '../ui/conflict-columns.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { AnswerButtons } from './answer-buttons.tsx';
import { parseChoices } from './parse-choices.ts';
import { cardProps, useInboxKeys } from './use-inbox-keys.ts';
import { ReadOnlyQuestion } from './read-only-question.tsx';
import { UnsentAnswers } from './unsent-answers.tsx';

type Question = Extract<InboxItem, { kind: 'question' }>;
type Held = Extract<InboxItem, { kind: 'held' }>;

/** All questions and held changes, with the controls to answer, approve or reject them. */
export function InboxPage() {
  const { queries } = useServices();
  const { canWrite } = useViewer();
  const text = useText().inbox;
  const { data, error } = useQuery(queries.inbox);
  const list = useRef<HTMLDivElement>(null);
  useInboxKeys(list);
  const hint = canWrite && (data?.waiting.length ?? 0) > 0 && (
    <span className="max-wide:hidden">{text.keys}</span>
  );
  return (
    <Page title={text.title} about={hint}>
      {error !== null && <ErrorNotice error={error} />}
      {data === undefined && error === null && <Spinner label={text.title} />}
      {data !== undefined && canWrite && (
        <UnsentAnswers open={data.waiting.flatMap((each) => (each.kind === 'question' ? [each.item] : []))} />
      )}
      {data?.waiting.length === 0 && <EmptyState icon={Inbox} title={text.empty} hint={text.emptyHint} />}
      <div ref={list} className="contents">
        {data?.waiting.map((item) =>
          item.kind === 'question' ? (
            canWrite ? (
              <QuestionCard key={item.item} item={item} />
            ) : (
              <ReadOnlyQuestion key={item.item} item={item} />
            )
          ) : (
            <HeldCard key={item.id} item={item} />
          ),
        )}
      </div>
    </Page>
  );
}

const card = 'flex flex-col gap-4 rounded-large border border-line bg-surface p-4 wide:p-6';

function QuestionCard({ item }: { item: Question }) {
  const { composer, preferences, api, client, queries, toasts } = useServices();
  const text = useText().inbox;
  const draft = draftKey('answer', item.item);
  const answer = useStore(composer).texts[draft] ?? '';
  const { data } = useQuery(queries.updates.list);
  const given = data?.updates.find(({ input, state }) => input.inboxRef === item.item && isOpen[state]);
  const field = useId();
  const here = useScrollToLinked(item.item);
  const undoUpdate = useUndoUpdate();
  /** Takes an answer back: it is cancelled while it waits, and undone once it is filed. */
  const undoAnswer = (id: string): Promise<void> =>
    undoUpdate(() => api.updates.cancel(id).catch(() => api.updates.undo(id)));
  const folder = item.path.replace(/^vault\//, '').replace(/\/$/, '');
  const send = useMutation({
    mutationFn: ({ typed, key, choice }: { typed: string; key: string; choice?: InboxChoice }) =>
      api.inbox.answer(item.item, typed.trim(), [], key, choice),
    onSuccess: ({ id }, { typed }) => {
      clearSentText(composer, draft, typed);
      toasts.show(text.answered, () => void undoAnswer(id));
      composer.set((all) => ({ ...all, following: id }));
      // Waits for the refetch: until then, the form could submit the answer twice.
      return client.invalidateQueries({ queryKey: ['updates'] });
    },
    onError: toasts.showError,
  });
  const start = (): void => {
    if (answer.trim() !== '' && !send.isPending) send.mutate({ typed: answer, key: createId() });
  };
  return (
    <section ref={here} {...cardProps} aria-label={item.item} className={card}>
      <QuestionHeading item={item.item} folder={folder} />
      <div className="prose plain">
        <Markdown body={item.review} path={`${folder}/review.md`} />
      </div>
      {item.versions !== null && <Versions versions={item.versions} />}
      {given === undefined && (
        <QuestionAnswers
          item={item}
          isDisabled={send.isPending}
          onSend={(typed, choice) => send.mutate({ typed, key: createId(), ...(choice && { choice }) })}
        />
      )}
      {given === undefined && item.proposals.length > 0 && (
        <ProposalAnswers
          numbers={item.proposals}
          isDisabled={send.isPending}
          onSend={(typed) => send.mutate({ typed, key: createId() })}
        />
      )}
      {given !== undefined ? (
        <SubmittedAnswer update={given} />
      ) : (
        <form
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            start();
          }}
        >
          <label htmlFor={field} className="text-small font-medium">
            {text.answer}
          </label>
          <textarea
            id={field}
            value={answer}
            rows={2}
            onChange={(event) => setDraftText(composer, draft, event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && start()}
            className="field-sizing-content min-h-16 w-full resize-none rounded-medium border border-line-strong bg-page px-3 py-2 text-base"
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" disabled={answer.trim() === '' || send.isPending}>
              {text.send}
            </Button>
            <Button
              variant="ghost"
              className="max-wide:-ml-3"
              onClick={() => {
                composer.set((all) => ({ ...all, item: item.item }));
                preferences.set((all) => ({ ...all, mode: 'answer' }));
                focusComposer();
              }}
            >
              <Paperclip aria-hidden className="size-4" />
              {text.inComposer}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}

/** A ref for the card of an item, which is scrolled into view if the address names the item. */
function useScrollToLinked(item: string) {
  const here = useRef<HTMLElement>(null);
  const isMeant = useLocation({ select: ({ hash }) => hash === item });
  useEffect(() => {
    if (isMeant) here.current?.scrollIntoView({ block: 'start' });
  }, [isMeant]);
  return here;
}

type QuestionAnswersProps = {
  item: Question;
  isDisabled: boolean;
  /** `choice` is set for an answer that needs no model. */
  onSend: (typed: string, choice?: InboxChoice) => void;
};

/** The answers that the question names, and those that need no model, numbered in this order. */
function QuestionAnswers({ item, isDisabled, onSend }: QuestionAnswersProps) {
  const text = useText().inbox;
  const own = useOwnAnswers(item);
  const plain = item.choices.map((choice) => ({
    text: text.choice[choice],
    onChoose: () => onSend(text.choice[choice], choice),
  }));
  return (
    <>
      {own.length > 0 && (
        <AnswerButtons
          label={text.quick}
          isDisabled={isDisabled}
          answers={own.map((words) => ({ text: words, onChoose: () => onSend(words) }))}
        />
      )}
      {plain.length > 0 && (
        <AnswerButtons label={text.choices} first={own.length + 1} isDisabled={isDisabled} answers={plain} />
      )}
    </>
  );
}

/** The alternatives that the question names; none for proposals and conflicts, which have answers of their own. */
function useOwnAnswers({ review, proposals, versions }: Question): string[] {
  const text = useText().inbox;
  const parsed = useMemo(() => parseChoices(review), [review]);
  if (parsed === null || proposals.length > 0 || versions !== null) return [];
  return parsed.kind === 'yes-no' ? [text.yes, text.no] : parsed.texts;
}

/** The places in which the two versions of a conflict differ. */
function Versions({ versions }: { versions: NonNullable<Question['versions']> }) {
  const text = useText().inbox;
  const places = useMemo(() => compareTexts(versions.mine, versions.theirs), [versions]);
  return places.map(({ ours, theirs }, index) => (
    <ConflictColumns
      key={index}
      label={text.difference(index + 1, places.length)}
      sides={[
        { title: text.mine, lines: ours },
        { title: text.theirs, lines: theirs },
      ]}
    />
  ));
}

/** The name of a question, as a link to its folder. */
function QuestionHeading({ item, folder }: { item: string; folder: string }) {
  const text = useText().inbox;
  return (
    <div className="flex flex-wrap items-center gap-2 text-small">
      <Badge tone="accent">{text.question}</Badge>
      <Link
        to="/file/$"
        params={{ _splat: folder }}
        title={text.folder}
        className="inline-flex min-w-0 items-center gap-1.5 rounded-small text-soft hover:text-ink hover:underline"
      >
        <FolderOpen aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0 break-words">{item}</span>
      </Link>
    </div>
  );
}

type ProposalAnswersProps = {
  numbers: readonly number[];
  isDisabled: boolean;
  onSend: (typed: string) => void;
};

/** A yes and a no for each proposal; the chosen ones are sent together. */
function ProposalAnswers({ numbers, isDisabled, onSend }: ProposalAnswersProps) {
  const text = useText().inbox;
  const [chosen, setChosen] = useState<Partial<Record<number, 'yes' | 'no'>>>({});
  const answers = numbers.flatMap((number) =>
    chosen[number] === undefined ? [] : [`${number} ${chosen[number]}`],
  );
  return (
    <div className="flex flex-col gap-2">
      {numbers.map((number) => (
        <div key={number} role="group" aria-label={text.proposal(number)} className="flex items-center gap-2">
          <span className="min-w-6 text-small font-medium">{number}.</span>
          {(['yes', 'no'] as const).map((answer) => (
            <Button
              key={answer}
              aria-pressed={chosen[number] === answer}
              variant={chosen[number] === answer ? 'primary' : 'secondary'}
              disabled={isDisabled}
              onClick={() => setChosen((all) => ({ ...all, [number]: answer }))}
            >
              {text[answer]}
            </Button>
          ))}
        </div>
      ))}
      <div>
        <Button
          variant="primary"
          disabled={isDisabled || answers.length === 0}
          onClick={() => onSend(answers.join(', '))}
        >
          {text.sendAnswers}
        </Button>
      </div>
    </div>
  );
}

/** Whether an update in this state may still file the answer it contains. */
const isOpen: Record<UpdateRecord['state'], boolean> = {
  waiting: true,
  running: true,
  parked: true,
  done: false,
  cancelled: false,
};

/** A submitted answer and its progress. */
function SubmittedAnswer({ update }: { update: UpdateRecord }) {
  const text = useText();
  const isStuck = update.state === 'parked';
  return (
    <Notice
      tone={isStuck ? 'warn' : 'info'}
      title={isStuck ? text.inbox.notSent : text.inbox.sent}
      actions={
        <Link to="/activity/$id" params={{ id: update.id }} className={buttonClass()}>
          {text.run.show}
        </Link>
      }
    >
      <p className="whitespace-pre-wrap">{update.input.text}</p>
    </Notice>
  );
}

function HeldCard({ item }: { item: Held }) {
  const { queries } = useServices();
  const text = useText();
  const format = useFormat();
  const { data } = useQuery(queries.history.change(item.id));
  return (
    <section {...cardProps} aria-label={item.summary} className={card}>
      <div className="flex flex-wrap items-center gap-2 text-small text-soft">
        <Badge tone="warn">{text.inbox.held}</Badge>
        {format.ago(item.at)}
      </div>
      <p className="text-large break-words">{item.summary}</p>
      {item.reason !== null && (
        <Notice tone="warn" title={text.activity.heldBecause}>
          <p className="first-letter:uppercase">{translateReason(item.reason, text)}</p>
          <RemovalWarning item={item} />
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <ApprovalButtons id={item.id} reason={item.reason} />
      </div>
      <p className="text-small font-semibold text-soft">{text.activity.wouldChange(item.paths.length)}</p>
      {data !== undefined && <DiffList diffs={data.diffs} />}
    </section>
  );
}

/** Says how much would be removed from the file that loses the most lines. */
function RemovalWarning({ item }: { item: Held }) {
  const { queries } = useServices();
  const { inbox: text } = useText();
  const [largest] = item.removes.toSorted((a, b) => b.lines - a.lines);
  const path = largest?.path.replace(/^vault\//, '') ?? '';
  const { data: file } = useQuery({
    ...queries.files.get(path),
    enabled: path !== '',
    refetchInterval: false,
  });
  if (largest === undefined || file === undefined) return null;
  const lines = file.text.replace(/\n$/, '').split('\n').length;
  return <p>{text.removes(largest.lines, Math.max(lines, largest.lines), path)}</p>;
}
