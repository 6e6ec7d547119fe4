import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useAsk } from '../answers/use-ask.ts';
import { newId } from '../api/new-id.ts';
import { useServices } from '../shell/services.ts';
import { canSend, detach, forgetText } from './composer-state.ts';
import type { Attached } from './composer-state.ts';
import type { Composed } from './use-composed.ts';

type Content = { draft: string; text: string; attached: readonly Attached[]; item: string | null };

export type Send = { start: () => void; isReady: boolean; isPending: boolean };

/** Sends what is in the composer. What was typed stays until the server has it on disk. */
export function useSend({ mode, draft, typed: text, attached, item }: Composed): Send {
  const { api, composer, preferences, toasts, client } = useServices();
  const ask = useAsk();
  // The same key for the same content: sent twice, it is still one update.
  const key = useRef({ content: '', key: '' });
  const keyFor = (content: string): string => {
    if (key.current.content !== content) key.current = { content, key: newId() };
    return key.current.key;
  };

  // What is shown lags behind: a failure is told before the view knows that sending is over.
  const isSending = useRef(false);

  const asking = useMutation({
    mutationFn: (content: Content) =>
      ask(content.text.trim()).finally(() => void (isSending.current = false)),
    onSuccess: (_, content) => forgetText(composer, content.draft, content.text),
    onError: toasts.fail,
  });
  const send = useMutation({
    mutationFn: async (content: Content) => {
      const words = content.text.trim();
      const ids = content.attached.map(({ id }) => id);
      const unique = keyFor(JSON.stringify([content.draft, words, ids]));
      const sent =
        content.item === null
          ? api.updates.add(words, content.attached, unique)
          : api.inbox.answer(content.item, words, content.attached, unique);
      return sent.finally(() => void (isSending.current = false));
    },
    // What was typed or attached since then is of something else.
    onSuccess: async ({ id }, content) => {
      for (const each of content.attached) detach(composer, each.id);
      forgetText(composer, content.draft, content.text);
      composer.set((all) => ({ ...all, item: null, following: id }));
      if (content.item !== null) preferences.set((all) => ({ ...all, mode: 'file' }));
      key.current = { content: '', key: '' };
      await client.invalidateQueries({ queryKey: ['updates'] });
    },
    onError: toasts.fail,
  });

  const isReady = canSend({ mode, typed: text, attached, item });
  return {
    isReady,
    isPending: send.isPending || asking.isPending,
    start: () => {
      if (!isReady || isSending.current) return;
      isSending.current = true;
      const content = { draft, text, attached, item: mode === 'answer' ? item : null };
      return mode === 'ask' ? asking.mutate(content) : send.mutate(content);
    },
  };
}
