import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { detach } from './composer-state.ts';

/** Sends what is in the composer. What was typed stays until the server has it on disk. */
export function useSend(): { start: () => void; isReady: boolean; isPending: boolean } {
  const { api, composer, preferences, answers, toasts, client, queries } = useServices();
  const navigate = useNavigate();
  const { text, attached, item } = useStore(composer);
  const { mode } = useStore(preferences);
  const { data: status } = useQuery(queries.status);
  // The same key for the same content: sent twice, it is still one update.
  const key = useRef({ content: '', key: '' });
  const keyFor = (content: string): string => {
    if (key.current.content !== content) key.current = { content, key: crypto.randomUUID() };
    return key.current.key;
  };

  // What is shown lags behind: a failure is told before the view knows that sending is over.
  const isSending = useRef(false);

  const send = useMutation({
    mutationFn: async () => {
      const words = text.trim();
      const unique = keyFor(JSON.stringify([mode, item, words, attached.map(({ id }) => id)]));
      const sent =
        mode === 'answer' && item !== null
          ? api.answerInbox(item, words, attached, unique)
          : api.addUpdate(words, attached, unique);
      return sent.finally(() => void (isSending.current = false));
    },
    onSuccess: async ({ id }) => {
      for (const each of attached) detach(composer, each.id);
      composer.set({ text: '', attached: [], item: null, following: id });
      if (mode === 'answer') preferences.set((all) => ({ ...all, mode: 'file' }));
      key.current = { content: '', key: '' };
      await client.invalidateQueries({ queryKey: ['updates'] });
    },
    onError: toasts.fail,
  });

  const hasWords = text.trim() !== '';
  const areRead = attached.every(({ look }) => look.state === 'read');
  const isReady =
    (mode === 'ask' && hasWords && status?.models.agents !== null) ||
    (mode === 'file' && areRead && (hasWords || attached.length > 0)) ||
    (mode === 'answer' && areRead && item !== null && hasWords);
  return {
    isReady,
    isPending: send.isPending,
    start: () => {
      if (!isReady || isSending.current) return;
      if (mode !== 'ask') {
        isSending.current = true;
        return send.mutate();
      }
      const id = answers.ask(text.trim());
      composer.set((all) => ({ ...all, text: '' }));
      void navigate({ to: '/answer/$id', params: { id } });
    },
  };
}
