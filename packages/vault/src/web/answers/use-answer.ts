import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { followSteps } from '../../contract/index.ts';
import type { Step } from '../../contract/index.ts';
import { useServices } from '../shell/services.ts';

/** Before a stream that broke off is taken up again. */
const pause = 1_000;

/** An answer as far as it is; while it is made and somebody looks, with each step and what is being written. */
export function useAnswer(id: string) {
  const { api, client, queries } = useServices();
  const query = useQuery(queries.answers.get(id));
  const [written, setWritten] = useState('');
  const isVisible = useIsVisible();
  const isRunning = query.data?.state === 'running';
  // A browser has few connections to one server: only what is looked at takes one.
  const isFollowed = isRunning && isVisible;
  useEffect(() => {
    if (!isFollowed) return;
    const stopping = new AbortController();
    const { signal } = stopping;
    const key = queries.answers.get(id).queryKey;
    const follow = async (): Promise<void> => {
      let steps: readonly Step[] = [];
      for await (const event of api.answers.follow(id, signal)) {
        if (event.kind === 'text') setWritten(event.text);
        else if (event.kind === 'answer') {
          client.setQueryData(key, event.answer);
          void client.invalidateQueries({ queryKey: ['answers'], exact: true });
          return;
        } else {
          steps = followSteps(steps, event.event);
          client.setQueryData(key, (known) => known && { ...known, steps: [...steps] });
        }
      }
    };
    const goOn = async (): Promise<void> => {
      while (!signal.aborted && client.getQueryData(key)?.state === 'running') {
        await follow().catch(() => undefined);
        await new Promise((resume) => setTimeout(resume, pause));
      }
    };
    void goOn();
    return () => stopping.abort();
  }, [api, client, queries, id, isFollowed]);
  return { ...query, written };
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
