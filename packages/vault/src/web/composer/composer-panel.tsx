import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { MessageCircleQuestion, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { ComposerBar } from './composer-bar.tsx';
import { addAttachments, focusComposer, setDraftText } from './composer-state.ts';
import { ComposerText } from './composer-text.tsx';
import { UpdateProgress } from './update-progress.tsx';
import { useComposed } from './use-composed.ts';
import { useDrop } from './use-drop.ts';
import { useSend } from './use-send.ts';

/** The composer, visible on every page: add something, ask a question, or answer an inbox item. */
export function ComposerPanel() {
  const { api, composer, fileAction, queries, toasts } = useServices();
  const text = useText().composer;
  const { data: status } = useQuery(queries.status);
  const isWithoutModel = status?.models.agents === null;
  const composed = useComposed();
  const { mode, draft, typed, attached, item } = composed;
  const send = useSend(composed);
  const { root, isActive, activate } = useIsActive();
  const path = useLocation({ select: ({ pathname }) => pathname });
  // Pages with forms of their own.
  const isAside = /^\/(?:settings|search)/.test(path);
  const isIdle = !isActive && typed === '' && attached.length === 0 && mode !== 'answer';

  const addFiles = (files: Iterable<File>): void => {
    // An archive is no document: its notes are imported.
    const archive = [...files].find(({ name }) => /\.zip$/i.test(name));
    if (archive !== undefined && status?.canWrite === true) fileAction.set({ kind: 'import', file: archive });
    else if (!addAttachments(composer, files, api)) toasts.showError(text.tooLarge);
  };
  const { isOver, handlers } = useDrop((dropped) => {
    if (dropped.files.length > 0) addFiles(dropped.files);
    else setDraftText(composer, draft, `${typed}${dropped.getData('text/plain')}`);
    focusComposer();
  });

  return (
    <section
      ref={root}
      aria-label={text.label}
      {...handlers}
      className={`shrink-0 overflow-hidden border-t border-line bg-sunken px-4 wide:px-8 wide:[scrollbar-gutter:stable] max-wide:[:root:has(#edit-save)_&]:hidden ${isIdle && isAside ? 'py-1' : 'pt-3 pb-4'}`}
    >
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-2">
        <UpdateProgress />
        {mode === 'answer' && item !== null && <AnswerBanner item={item} />}
        {isWithoutModel && !isIdle && <NoModelHint />}
        <div
          className={`relative flex rounded-large border ${isIdle ? 'items-center' : 'flex-col'} bg-surface focus-within:border-accent ${isOver ? 'border-accent' : 'border-line-strong'}`}
        >
          {isOver && (
            <div className="absolute inset-0 z-10 grid place-items-center rounded-large bg-accent-soft text-small font-medium text-accent">
              {text.drop}
            </div>
          )}
          <AttachmentList />
          <ComposerText
            composed={composed}
            isIdle={isIdle}
            onFocus={activate}
            onFiles={addFiles}
            onSend={send.start}
          />
          <ComposerBar
            composed={composed}
            isIdle={isIdle}
            isWithoutModel={isWithoutModel}
            send={send}
            onFiles={addFiles}
          />
        </div>
      </div>
    </section>
  );
}

/**
 * Whether the composer is in use: from focusing its text until a click or focus outside of it. A click on its own buttons does not
 * end this, because collapsing would move the button away from the pointer.
 */
function useIsActive() {
  const root = useRef<HTMLElement>(null);
  const [isActive, setIsActive] = useState(false);
  useEffect(() => {
    if (!isActive) return;
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && root.current?.contains(target) === false) setIsActive(false);
    };
    for (const name of ['pointerdown', 'focusin']) document.addEventListener(name, leave);
    return () => {
      for (const name of ['pointerdown', 'focusin']) document.removeEventListener(name, leave);
    };
  }, [isActive]);
  return { root, isActive, activate: () => setIsActive(true) };
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

/** Said while the composer is in use, until it is dismissed in this browser. */
function NoModelHint() {
  const { preferences, composer } = useServices();
  const { composer: text, run } = useText();
  const { isModelHintDismissed } = useStore(preferences);
  // The progress of an update that waits says the same.
  const isFollowing = useStore(composer).following !== null;
  if (isModelHintDismissed || isFollowing) return null;
  return (
    <p className="flex items-center gap-2 pl-3 text-tiny text-soft">
      <span className="min-w-0 flex-1">
        {text.noModel}{' '}
        <Link to="/settings" className="text-accent underline">
          {text.howTo}
        </Link>
      </span>
      <IconButton
        label={run.dismiss}
        onClick={() => preferences.set((all) => ({ ...all, isModelHintDismissed: true }))}
      >
        <X aria-hidden className="size-4" />
      </IconButton>
    </p>
  );
}
