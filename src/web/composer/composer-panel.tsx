import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageCircleQuestion, Paperclip, SendHorizontal, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ClipboardEvent, DragEvent } from 'react';
import { useStore } from '../live/store.ts';
import type { Mode } from '../shell/preferences.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Keys } from '../ui/keys.tsx';
import { AttachedList } from './attached-list.tsx';
import { attach, composerId, draftFor, focusComposer, modeFor, setText } from './composer-state.ts';
import { FollowStrip } from './follow-strip.tsx';
import { useSend } from './use-send.ts';

/** Always in sight: hand something over, ask, or answer. */
export function ComposerPanel() {
  const { api, composer, preferences, queries, toasts } = useServices();
  const text = useText().composer;
  const state = useStore(composer);
  const mode = modeFor(useStore(preferences).mode, state.item);
  const { data: status } = useQuery(queries.status);
  const [isOver, setIsOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const send = useSend();
  const hasModel = status?.models.agents !== null;

  const draft = draftFor(mode, state.item);
  const typed = state.texts[draft] ?? '';
  const { place, isUsed, use } = useUsed();
  const isIdle = !isUsed && typed === '' && state.attached.length === 0 && mode !== 'answer';
  const modes: Mode[] = state.item === null ? ['file', 'ask'] : ['file', 'ask', 'answer'];

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
      ref={place}
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
        {mode === 'answer' && state.item !== null && <AnswerBanner item={state.item} />}
        {!hasModel && <NoModelHint />}
        <div
          className={`relative flex rounded-large border ${isIdle ? 'items-center' : 'flex-col'} bg-surface focus-within:border-accent ${isOver ? 'border-accent' : 'border-line-strong'}`}
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
            onFocus={use}
            onPaste={paste}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                send.start();
              }
            }}
            placeholder={text.placeholder[mode]}
            aria-label={text.about[mode]}
            className={`resize-none rounded-large bg-transparent px-3 pt-2.5 pb-1 text-base outline-none ${isIdle ? 'h-10 min-w-0 flex-1 overflow-hidden whitespace-nowrap' : 'field-sizing-content max-h-48 min-h-10 w-full'}`}
          />
          <div className={`flex items-center gap-1 p-1.5 wide:gap-2 ${isIdle ? '' : 'flex-wrap'}`}>
            {/* Where there is little room, they come when they are needed. */}
            <div className={`flex items-center gap-1 wide:gap-2 ${isIdle ? 'max-wide:hidden' : ''}`}>
              <Choice
                label={text.mode}
                value={mode}
                onChange={setMode}
                options={modes.map((value) => ({
                  value,
                  label: text.modes[value],
                }))}
              />
              <IconButton
                label={text.attach}
                disabled={mode === 'ask'}
                onClick={() => picker.current?.click()}
              >
                <Paperclip aria-hidden className="size-4" />
              </IconButton>
            </div>
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
            <span className={`ml-auto hidden text-tiny text-soft ${isIdle ? '' : 'wide:inline'}`}>
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

/**
 * Whether it is being used: from when somebody goes into the text until they turn to something else. A click on one of its
 * buttons is none of that, or the button would move away below it.
 */
function useUsed() {
  const place = useRef<HTMLElement>(null);
  const [isUsed, setIsUsed] = useState(false);
  useEffect(() => {
    if (!isUsed) return;
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && place.current?.contains(target) === false) setIsUsed(false);
    };
    for (const name of ['pointerdown', 'focusin']) document.addEventListener(name, leave);
    return () => {
      for (const name of ['pointerdown', 'focusin']) document.removeEventListener(name, leave);
    };
  }, [isUsed]);
  return { place, isUsed, use: () => setIsUsed(true) };
}

function AnswerBanner({ item }: { item: string }) {
  const { composer, preferences } = useServices();
  const text = useText().composer;
  return (
    <div className="flex min-h-8 items-center gap-2 rounded-medium bg-accent-soft py-1 pr-1 pl-3 text-small text-accent">
      <MessageCircleQuestion aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 break-words">{text.answering(item)}</span>
      <IconButton
        label={text.stopAnswering}
        onClick={() => {
          composer.set((all) => ({ ...all, item: null }));
          preferences.set((all) => ({ ...all, mode: 'file' }));
        }}
      >
        <X aria-hidden className="size-4" />
      </IconButton>
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
