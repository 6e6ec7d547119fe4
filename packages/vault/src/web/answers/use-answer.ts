import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { reduceSteps } from '../../contract/index.ts';
import type { Step } from '../../contract/index.ts';
import type { FoundPassages } from '../api/answers-api.ts';
import { useServices } from '../shell/services.ts';

/** How long to wait before reconnecting to an interrupted stream, in milliseconds. */
const reconnectDelayMs = 1_000;

/** A stored answer. While it is being written and the page is visible, its steps, passages and text are streamed. */
export function useAnswer(id: string) {
  const { api, client, queries } = useServices();
  const query = useQuery(queries.answers.get(id));
  const [written, setWritten] = useState('');
  const [passages, setPassages] = useState<FoundPassages>([]);
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const isVisible = useIsVisible();
  const isRunning = query.data?.state === 'running';
  // Browsers allow few connections per server, so a hidden page uses none.
  const isFollowed = isRunning && isVisible;
  useEffect(() => {
    if (!isFollowed) return;
    const stopping = new AbortController();
    const { signal } = stopping;
    const key = queries.answers.get(id).queryKey;
    const follow = async (): Promise<void> => {
      let received: readonly Step[] = [];
      for await (const event of api.answers.follow(id, signal)) {
        if (event.kind === 'text') setWritten(event.text);
        else if (event.kind === 'passages') setPassages(event.passages);
        else if (event.kind === 'answer') {
          client.setQueryData(key, event.answer);
          void client.invalidateQueries({ queryKey: ['answers'], exact: true });
          return;
        } else {
          received = reduceSteps(received, event.event);
          setSteps(received);
        }
      }
    };
    const keepFollowing = async (): Promise<void> => {
      while (!signal.aborted && client.getQueryData(key)?.state === 'running') {
        await follow().catch(() => undefined);
        await new Promise((resume) => setTimeout(resume, reconnectDelayMs));
      }
    };
    void keepFollowing();
    return () => stopping.abort();
  }, [api, client, queries, id, isFollowed]);
  // The stored answer may have been requested before the newest step, and arrive after it.
  const data =
    query.data && isRunning && steps.length > 0 ? { ...query.data, steps: [...steps] } : query.data;
  return { ...query, data, written, passages };
}

function useIsVisible(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    () => document.visibilityState === 'visible',
  );
}
