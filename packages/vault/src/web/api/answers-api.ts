import type { z } from 'zod';
import { api, keepsakeEventSchema } from '../../contract/index.ts';
import type { KeepsakeEvent } from '../../contract/index.ts';
import { apiBase } from './http.ts';
import type { Http } from './http.ts';
import { readStream } from './read-stream.ts';

export type SavedAnswer = z.output<typeof api.savedAnswer>;
export type SavedAnswerSummary = z.output<typeof api.savedAnswers>['answers'][number];
export type VerifiedBlock = z.output<typeof api.verifyResponse>['blocks'][number];
export type FoundPassages = z.output<typeof api.foundPassages>;
type AnswerEvent =
  | { kind: 'step'; event: KeepsakeEvent }
  | { kind: 'text'; text: string }
  | { kind: 'passages'; passages: FoundPassages }
  | { kind: 'answer'; answer: SavedAnswer };

/** Asks the vault, and reads and deletes the stored answers. */
export function createAnswersApi({ request, get, post, remove }: Http) {
  const id = encodeURIComponent;
  return {
    list: (signal?: AbortSignal) => get(api.savedAnswers, '/answers?limit=500', signal),
    get: (one: string, signal?: AbortSignal) => get(api.savedAnswer, `/answers/${id(one)}`, signal),
    ask: (question: string, follows?: string) =>
      post(api.savedAnswer, '/answers', { question, keep: true, follows }),
    stop: (one: string) => post(api.savedAnswer, `/answers/${id(one)}/stop`),
    /** Streams all steps from the first one on, the text written so far, and finally the answer. */
    async *follow(one: string, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
      const { body } = await request(`${apiBase}/answers/${id(one)}/events`, { signal });
      if (body === null) return;
      for await (const { event, data } of readStream(body)) {
        const value: unknown = JSON.parse(data);
        if (event === 'step') yield { kind: 'step', event: keepsakeEventSchema.parse(value) };
        if (event === 'text') yield { kind: 'text', text: String((value as { text?: unknown }).text) };
        if (event === 'passages') yield { kind: 'passages', passages: api.foundPassages.parse(value) };
        if (event === 'answer') yield { kind: 'answer', answer: api.savedAnswer.parse(value) };
      }
    },
    /** Checks whether the cited lines still say the same. */
    verify: (document: string, signal?: AbortSignal) =>
      post(api.verifyResponse, '/verify', { document }, signal),
    file: (one: string) => post(api.answerExport, `/answers/${id(one)}/file`),
    delete: (one: string) => remove(`/answers/${id(one)}`),
    deleteAll: () => remove('/answers'),
  };
}
