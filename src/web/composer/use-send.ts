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

  const send = useMutation({
    mutationFn: async () => {
      const words = text.trim();
      const unique = keyFor(JSON.stringify([mode, item, words, attached.map(({ id }) => id)]));
      if (mode === 'answer' && item !== null) return api.answerInbox(item, words, attached, unique);
      return api.addUpdate(words, attached, unique);
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
  const isReady =
    (mode === 'ask' && hasWords && status?.models.agents !== null) ||
    (mode === 'file' && (hasWords || attached.length > 0)) ||
    (mode === 'answer' && item !== null && hasWords);
  return {
    isReady,
    isPending: send.isPending,
    start: () => {
      if (!isReady || send.isPending) return;
      if (mode !== 'ask') return send.mutate();
      const id = answers.ask(text.trim());
      composer.set((all) => ({ ...all, text: '' }));
      void navigate({ to: '/answer/$id', params: { id } });
    },
  };
}
