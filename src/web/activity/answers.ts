import { newId } from '../api/new-id.ts';
import { z } from 'zod';
import { answer, followSteps, step } from '../../contract/index.ts';
import type { Api } from '../api/client.ts';
import { createStoredValue } from '../live/store.ts';
import type { Store } from '../live/store.ts';

/** An earlier version kept answers that did not say yet whether they are cited, and had no notes. */
const keptAnswer = answer
  .extend({ isCited: answer.shape.isCited.optional(), notes: answer.shape.notes.default([]) })
  .transform((kept) => ({ ...kept, isCited: kept.isCited ?? kept.blocks.length > 0 }));

const answerRecord = z.object({
  id: z.string(),
  question: z.string(),
  at: z.number(),
  state: z.enum(['running', 'done', 'failed', 'stopped']),
  steps: z.array(step).readonly(),
  answer: keptAnswer.nullable(),
  problem: z.string().nullable(),
});

export type AnswerRecord = z.infer<typeof answerRecord>;

/** Questions of this tab and what came of them. The server keeps no answers, so the tab does. */
export type Answers = {
  list: Store<readonly AnswerRecord[]>;
  /** Begins to ask; the id is that of the record. */
  ask(question: string): string;
  stop(id: string): void;
};

/** How many are kept, and how much of their text: a tab may keep about five million letters. */
const most = { records: 20, letters: 1_000_000 };

type Parts = { api: Api; storage: Storage };

export function createAnswers({ api, storage }: Parts): Answers {
  const list = createStoredValue(storage, 'keepsake.answers', readRecords);
  const running = new Map<string, AbortController>();
  const change = (id: string, edit: (record: AnswerRecord) => Partial<AnswerRecord>): void =>
    list.set((all) =>
      keepLatest(all.map((record) => (record.id === id ? { ...record, ...edit(record) } : record))),
    );
  const start = (id: string, question: string): void => {
    const control = new AbortController();
    running.set(id, control);
    void api
      .ask(
        question,
        (event) => change(id, ({ steps }) => ({ steps: followSteps(steps, event) })),
        control.signal,
      )
      .then(
        (found) => change(id, () => ({ state: 'done', answer: found })),
        async (error: unknown) => {
          // When the page is left every request fails, which says nothing about the answer: nobody is here then any more.
          await new Promise((resume) => setTimeout(resume, 500));
          change(id, () =>
            control.signal.aborted
              ? { state: 'stopped' }
              : { state: 'failed', problem: error instanceof Error ? error.message : String(error) },
          );
        },
      )
      .finally(() => running.delete(id));
  };
  for (const { id, question, state } of list.get()) if (state === 'running') start(id, question);
  return {
    list,
    ask(question) {
      const id = newId();
      const record: AnswerRecord = {
        id,
        question,
        at: Date.now(),
        state: 'running',
        steps: [],
        answer: null,
        problem: null,
      };
      list.set((all) => keepLatest([record, ...all]));
      start(id, question);
      return id;
    },
    stop: (id) => running.get(id)?.abort(),
  };
}

/** The newest ones come first, and the newest one is always kept. */
export function keepLatest(all: readonly AnswerRecord[]): readonly AnswerRecord[] {
  let letters = 0;
  return all.slice(0, most.records).filter((record, index) => {
    letters += JSON.stringify(record).length;
    return index === 0 || letters <= most.letters;
  });
}

/** A question that was being answered a moment ago is asked again; an older one waits for nobody any more. */
const goOnWithin = 10 * 60_000;

function readRecords(stored: unknown): readonly AnswerRecord[] {
  if (!Array.isArray(stored)) return [];
  return stored
    .flatMap((each) => answerRecord.safeParse(each).data ?? [])
    .map((record) => {
      if (record.state !== 'running') return record;
      return record.at > Date.now() - goOnWithin ? { ...record, steps: [] } : { ...record, state: 'stopped' };
    });
}
