import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useAsk } from '../answers/use-ask.ts';
import { createId } from '../api/create-id.ts';
import { useServices } from '../shell/services.ts';
import { canSend, removeAttachment, clearSentText } from './composer-state.ts';
import type { ComposerAttachment } from './composer-state.ts';
import type { Composed } from './use-composed.ts';

type Content = {
  draft: string;
  text: string;
  attached: readonly ComposerAttachment[];
  item: string | null;
  asNote: boolean;
};

/** `saveNote` saves the content as a note, without a model. */
export type Send = { start: () => void; saveNote: () => void; isReady: boolean; isPending: boolean };

/** Sends the content of the composer. The draft is cleared once the server has stored it. */
export function useSend({ mode, draft, typed: text, attached, item }: Composed): Send {
  const { api, composer, preferences, toasts, client } = useServices();
  const ask = useAsk();
  // Idempotency key: sending the same content twice creates one update.
  const key = useRef({ content: '', key: '' });
  const keyFor = (content: string): string => {
    if (key.current.content !== content) key.current = { content, key: createId() };
    return key.current.key;
  };

  // A ref, because `isPending` of the mutations lags behind: `onError` runs before the view is updated.
  const isSending = useRef(false);

  const asking = useMutation({
    mutationFn: (content: Content) =>
      ask(content.text.trim()).finally(() => void (isSending.current = false)),
    onSuccess: (_, content) => clearSentText(composer, content.draft, content.text),
    onError: toasts.showError,
  });
  const send = useMutation({
    mutationFn: async (content: Content) => {
      const words = content.text.trim();
      const ids = content.attached.map(({ id }) => id);
      const unique = keyFor(JSON.stringify([content.draft, words, ids, content.asNote]));
      const sent =
        content.item === null
          ? api.updates.add(words, content.attached, unique, content.asNote)
          : api.inbox.answer(content.item, words, content.attached, unique);
      return sent.finally(() => void (isSending.current = false));
    },
    // Text or attachments that were added while sending belong to the next update.
    onSuccess: async ({ id }, content) => {
      for (const each of content.attached) removeAttachment(composer, each.id);
      clearSentText(composer, content.draft, content.text);
      composer.set((all) => ({ ...all, item: null, following: id }));
      if (content.item !== null) preferences.set((all) => ({ ...all, mode: 'file' }));
      key.current = { content: '', key: '' };
      await client.invalidateQueries({ queryKey: ['updates'] });
    },
    onError: toasts.showError,
  });

  const isReady = canSend({ mode, typed: text, attached, item });
  const start = (asNote: boolean): void => {
    if (!isReady || isSending.current) return;
    isSending.current = true;
    const content = { draft, text, attached, item: mode === 'answer' ? item : null, asNote };
    return mode === 'ask' ? asking.mutate(content) : send.mutate(content);
  };
  return {
    isReady,
    isPending: send.isPending || asking.isPending,
    start: () => start(false),
    saveNote: () => start(true),
  };
}
