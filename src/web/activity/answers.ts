import { answer } from '../../contract/index.ts';
import type { Answer } from '../../contract/index.ts';
import type { Api } from '../api/client.ts';
import type { createRuns } from '../live/runs.ts';
import { createStoredValue } from '../live/store.ts';
import type { Store } from '../live/store.ts';

export type AnswerRecord = {
  id: string;
  question: string;
  at: number;
  state: 'running' | 'done' | 'failed' | 'stopped';
  answer: Answer | null;
  problem: string | null;
};

/** Questions of this tab and what came of them. The server keeps no answers, so the tab does. */
export type Answers = {
  list: Store<readonly AnswerRecord[]>;
  /** Begins to ask; the id is that of the record. */
  ask(question: string): string;
  stop(id: string): void;
};

const mostKept = 20;

type Parts = { api: Api; runs: ReturnType<typeof createRuns>; storage: Storage };

export function createAnswers({ api, runs, storage }: Parts): Answers {
  const list = createStoredValue(storage, 'keepsake.answers', readRecords);
  const running = new Map<string, AbortController>();
  const change = (id: string, edit: Partial<AnswerRecord>): void =>
    list.set((all) => all.map((record) => (record.id === id ? { ...record, ...edit } : record)));
  return {
    list,
    ask(question) {
      const id = crypto.randomUUID();
      const control = new AbortController();
      running.set(id, control);
      const record = { id, question, at: Date.now(), state: 'running', answer: null, problem: null } as const;
      list.set((all) => [record, ...all].slice(0, mostKept));
      void api
        .ask(question, (event) => runs.follow(event, id), control.signal)
        .then(
          (found) => change(id, { state: 'done', answer: found }),
          (error: unknown) =>
            change(
              id,
              control.signal.aborted
                ? { state: 'stopped' }
                : { state: 'failed', problem: error instanceof Error ? error.message : String(error) },
            ),
        )
        .finally(() => running.delete(id));
      return id;
    },
    stop: (id) => running.get(id)?.abort(),
  };
}

/** What was still running when the page was left is not running any more. */
function readRecords(stored: unknown): readonly AnswerRecord[] {
  if (!Array.isArray(stored)) return [];
  return (stored as AnswerRecord[])
    .filter((record) => record.answer === null || answer.safeParse(record.answer).success)
    .map((record) => (record.state === 'running' ? { ...record, state: 'stopped' } : record));
}
