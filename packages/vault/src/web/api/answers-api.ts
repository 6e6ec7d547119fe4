import type { z } from 'zod';
import { api, keepsakeEvent } from '../../contract/index.ts';
import type { KeepsakeEvent } from '../../contract/index.ts';
import { base } from './http.ts';
import type { Http } from './http.ts';
import { readStream } from './read-stream.ts';

export type KeptAnswer = z.output<typeof api.keptAnswer>;
export type ListedAnswer = z.output<typeof api.keptAnswers>['answers'][number];
export type Verified = z.output<typeof api.verified>['blocks'][number];
type FollowedAnswer =
  | { kind: 'step'; event: KeepsakeEvent }
  | { kind: 'text'; text: string }
  | { kind: 'answer'; answer: KeptAnswer };

/** Asks the vault, and reads and deletes the stored answers. */
export function createAnswersApi({ request, get, post, remove }: Http) {
  const id = encodeURIComponent;
  return {
    list: (signal?: AbortSignal) => get(api.keptAnswers, '/answers?limit=500', signal),
    get: (one: string, signal?: AbortSignal) => get(api.keptAnswer, `/answers/${id(one)}`, signal),
    ask: (question: string, follows?: string) =>
      post(api.keptAnswer, '/answers', { question, keep: true, follows }),
    stop: (one: string) => post(api.keptAnswer, `/answers/${id(one)}/stop`),
    /** Each step from the first one on, what is being written, and what came of it. */
    async *follow(one: string, signal: AbortSignal): AsyncGenerator<FollowedAnswer> {
      const { body } = await request(`${base}/answers/${id(one)}/events`, { signal });
      if (body === null) return;
      for await (const { event, data } of readStream(body)) {
        const value: unknown = JSON.parse(data);
        if (event === 'step') yield { kind: 'step', event: keepsakeEvent.parse(value) };
        if (event === 'text') yield { kind: 'text', text: String((value as { text?: unknown }).text) };
        if (event === 'answer') yield { kind: 'answer', answer: api.keptAnswer.parse(value) };
      }
    },
    /** Checks whether the cited lines still say the same. */
    verify: (document: string, signal?: AbortSignal) => post(api.verified, '/verify', { document }, signal),
    file: (one: string) => post(api.answerFiled, `/answers/${id(one)}/file`),
    delete: (one: string) => remove(`/answers/${id(one)}`),
    deleteAll: () => remove('/answers'),
  };
}
