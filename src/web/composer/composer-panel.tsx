import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageCircleQuestion, Paperclip, SendHorizontal, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ClipboardEvent, DragEvent } from 'react';
import { useStore } from '../live/store.ts';
import type { Mode } from '../shell/preferences.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Keys } from '../ui/keys.tsx';
import { AttachedList } from './attached-list.tsx';
import { attach, composerId, draftFor, focusComposer, setText } from './composer-state.ts';
import { FollowStrip } from './follow-strip.tsx';
import { useSend } from './use-send.ts';

/** Always in sight: hand something over, ask, or answer. */
export function ComposerPanel() {
  const { api, composer, preferences, queries, toasts } = useServices();
  const text = useText().composer;
  const state = useStore(composer);
  const { mode } = useStore(preferences);
  const { data: status } = useQuery(queries.status);
  const [isOver, setIsOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const send = useSend();
  const hasModel = status?.models.agents !== null;

  const draft = draftFor(mode, state.item);
  const typed = state.texts[draft] ?? '';

  const setMode = (next: Mode): void => {
    // What turns out to be a question, or a note, goes along to where nothing is typed yet.
    if (mode !== 'answer' && next !== 'answer' && (state.texts[next] ?? '') === '') {
      setText(composer, next, typed);
      if (next !== mode) setText(composer, mode, '');
    }
    preferences.set((all) => ({ ...all, mode: next }));
    focusComposer();
  };
  const take = (files: Iterable<File>): void => {
    if (!attach(composer, files, api)) toasts.fail(text.tooLarge);
  };
  const paste = (event: ClipboardEvent): void => {
    const { files } = event.clipboardData;
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    if (event.dataTransfer.files.length > 0) take(event.dataTransfer.files);
    else {
      const dropped = event.dataTransfer.getData('text/plain');
      setText(composer, draft, `${typed}${dropped}`);
    }
    focusComposer();
  };

  return (
    <section
      aria-label={text.label}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={(event) =>
        !event.currentTarget.contains(event.relatedTarget as Node | null) && setIsOver(false)
      }
      onDrop={drop}
      className="shrink-0 overflow-hidden border-t border-line bg-sunken px-4 pt-3 pb-4 wide:px-8 wide:[scrollbar-gutter:stable]"
    >
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-2">
        <FollowStrip />
        {mode === 'answer' && <AnswerBanner item={state.item} />}
        {!hasModel && <NoModelHint />}
        <div
          className={`relative flex flex-col rounded-large border bg-surface focus-within:border-accent ${isOver ? 'border-accent' : 'border-line-strong'}`}
        >
          {isOver && (
            <div className="absolute inset-0 z-10 grid place-items-center rounded-large bg-accent-soft text-small font-medium text-accent">
              {text.drop}
            </div>
          )}
          <AttachedList />
          <textarea
            id={composerId}
            value={typed}
            rows={1}
            onChange={(event) => setText(composer, draft, event.target.value)}
            onPaste={paste}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                send.start();
              }
            }}
            placeholder={text.placeholder[mode]}
            aria-label={text.about[mode]}
            className="field-sizing-content max-h-48 min-h-10 w-full resize-none rounded-large bg-transparent px-3 pt-2.5 pb-1 text-base outline-none"
          />
          <div className="flex flex-wrap items-center gap-1 p-1.5 wide:gap-2">
            <Choice
              label={text.mode}
              value={mode}
              onChange={setMode}
              options={(['file', 'ask', 'answer'] as const).map((value) => ({
                value,
                label: text.modes[value],
              }))}
            />
            <IconButton label={text.attach} disabled={mode === 'ask'} onClick={() => picker.current?.click()}>
              <Paperclip aria-hidden className="size-4" />
            </IconButton>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-label={text.attach}
              onChange={(event) => {
                take(event.target.files ?? []);
                event.target.value = '';
              }}
            />
            <span className="ml-auto hidden text-tiny text-soft wide:inline">
              <Keys letter="Enter" /> {text.keys}
            </span>
            <Button
              look="primary"
              disabled={!send.isReady || send.isPending}
              onClick={send.start}
              className="max-wide:ml-auto max-[24rem]:px-2"
            >
              <SendHorizontal aria-hidden className="size-4" />
              <span className="max-[24rem]:sr-only">{send.isPending ? text.sending : text.send[mode]}</span>
            </Button>
          </div>
        </div>
      </div>
    </section>
  );
}

function AnswerBanner({ item }: { item: string | null }) {
  const { composer, preferences } = useServices();
  const text = useText().composer;
  return (
    <div className="flex min-h-8 items-center gap-2 rounded-medium bg-accent-soft py-1 pr-1 pl-3 text-small text-accent">
      <MessageCircleQuestion aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 break-words">{item === null ? text.noItem : text.answering(item)}</span>
      {item === null ? (
        <Link to="/inbox" className="rounded-small px-2 font-medium whitespace-nowrap underline">
          {text.toInbox}
        </Link>
      ) : (
        <IconButton
          label={text.stopAnswering}
          onClick={() => {
            composer.set((all) => ({ ...all, item: null }));
            preferences.set((all) => ({ ...all, mode: 'file' }));
          }}
        >
          <X aria-hidden className="size-4" />
        </IconButton>
      )}
    </div>
  );
}

function NoModelHint() {
  const text = useText().composer;
  return (
    <p className="px-3 text-tiny text-soft">
      {text.noModel}{' '}
      <Link to="/settings" className="text-accent underline">
        {text.howTo}
      </Link>
    </p>
  );
}
