import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { AppError } from '../../app/index.ts';
import type { Keepsake, Served } from '../../app/index.ts';
import { followSteps } from '../../contract/index.ts';
import type { Answer, api, KeepsakeEvent, Step } from '../../contract/index.ts';
import { explainError } from '../http/explain-error.ts';
import { describeProblem } from '../http/problem.ts';
import { openKeptAnswers, person } from './kept-answers.ts';
import type { Kept, KeptWithOutcome, Listed, Outcome } from './kept-answers.ts';

type Shown = z.output<typeof api.keptAnswer>;
type ShownInList = z.output<typeof api.keptAnswers>['answers'][number];

/** What happens to an answer, for those who follow it. `number` counts the steps. */
export type AnswerEvent =
  | { kind: 'step'; number: number; event: KeepsakeEvent }
  /** What the model has written so far. */
  | { kind: 'text'; text: string }
  | { kind: 'over' };

/** Answers that go on whoever waits for them, each for who asked. */
export type Answers = {
  /** Begins one; it is on disk when this returns. `end` is called once it is over. */
  begin(asked: Asked, end: () => void): string;
  list(asker: string, limit: number): ShownInList[];
  find(asker: string, id: string): Shown | null;
  /** What has happened after this step, then what happens, until it is over. Gives what ends the listening. */
  follow(id: string, after: number, listener: (event: AnswerEvent) => void): () => void;
  /** Does nothing to one that is over, or somebody else's. */
  stop(asker: string, id: string): void;
  remove(asker: string, id: string): boolean;
  removeAll(asker: string): number;
  /** How many are not over. */
  running(): number;
  /** Breaks off those that are not over: they say so when they are looked at again. */
  close(): void;
};

export type Asked = {
  /** The vault as the asker may see it. */
  keepsake: Served;
  asker: string;
  question: string;
  follows: string | null;
};

type Running = {
  steps: KeepsakeEvent[];
  text: string;
  listeners: Set<(event: AnswerEvent) => void>;
  stopping: AbortController;
  asker: string;
};

/** Of what a model writes on its way nobody needs to see more. */
const longestText = 4_000;

export function createAnswers(keepsake: Keepsake): Answers {
  const kept = openKeptAnswers(keepsake);
  const running = new Map<string, Running>();
  let isClosed = false;

  const sight = (): string => String(keepsake.forModels.sight());
  /** What was said to a program may be about what is kept from it by now. */
  const isSeen = ({ asker, sight: then }: Kept): boolean => asker === person || then === sight();
  const findKept = (asker: string, id: string): KeptWithOutcome | null => {
    const found = kept().find(asker, id);
    return found === null || !isSeen(found) ? null : found;
  };

  const stop = (asker: string, id: string): void => {
    const own = running.get(id);
    if (own?.asker === asker) own.stopping.abort();
  };

  return {
    begin(asked, end) {
      const { asker, question, follows } = asked;
      const before = follows === null ? null : findKept(asker, follows);
      const id = randomUUID();
      const thread = before?.thread ?? id;
      const askedAt = Date.now();
      kept().add({ id, asker, thread, follows, question, askedAt, sight: sight() }, [...running.keys()]);
      const own: Running = {
        steps: [],
        text: '',
        listeners: new Set(),
        stopping: new AbortController(),
        asker,
      };
      running.set(id, own);
      void runAnswer(asked, { id, former: () => formerOf(asked, findKept, sight()) }, own)
        // One that was broken off has no outcome: whoever looks at it later sees that.
        .then((outcome) => isClosed || kept().end(id, outcome))
        // The disk is full or fails: it then counts as broken off.
        .catch(() => undefined)
        .finally(() => {
          running.delete(id);
          for (const listener of own.listeners) listener({ kind: 'over' });
          end();
        });
      return id;
    },
    list: (asker, limit) =>
      kept()
        .list(asker, limit)
        .filter(isSeen)
        .map((each) => listed(each, running.has(each.id))),
    find(asker, id) {
      const found = findKept(asker, id);
      if (found === null) return null;
      const own = running.get(id);
      const { question, askedAt, follows, outcome } = found;
      return {
        id,
        question,
        askedAt,
        follows,
        thread: kept().inThread(asker, found.thread),
        ...(outcome ?? {
          ...nothing,
          state: own === undefined ? 'interrupted' : 'running',
          steps: own === undefined ? [] : [...stepsOf(own)],
        }),
      };
    },
    follow(id, after, listener) {
      const own = running.get(id);
      if (own === undefined) {
        listener({ kind: 'over' });
        return () => undefined;
      }
      for (const [index, event] of own.steps.entries())
        if (index >= after) listener({ kind: 'step', number: index + 1, event });
      if (own.text !== '') listener({ kind: 'text', text: own.text });
      own.listeners.add(listener);
      return () => void own.listeners.delete(listener);
    },
    stop,
    remove(asker, id) {
      stop(asker, id);
      return kept().remove(asker, id) > 0;
    },
    removeAll(asker) {
      for (const id of running.keys()) stop(asker, id);
      return kept().removeAll(asker);
    },
    running: () => running.size,
    close() {
      isClosed = true;
      for (const { stopping } of running.values()) stopping.abort();
    },
  };
}

type Former = { question: string; document: string | null };

/** The answers of a model are told to a model only while they can be about nothing that is kept from it. */
function formerOf(
  { asker, follows }: Asked,
  find: (asker: string, id: string) => KeptWithOutcome | null,
  sight: string,
): Former[] {
  const all: Former[] = [];
  for (let id = follows; id !== null && all.length < mostFormer;) {
    const found = find(asker, id);
    if (found === null) break;
    const { question, outcome } = found;
    const isOwn = outcome?.by === 'agent' && found.sight === sight;
    all.unshift({ question, document: isOwn ? (outcome.answer?.document ?? null) : null });
    id = found.follows;
  }
  return all;
}

/** Answers a question, and tells listeners of its steps and its text. */
async function runAnswer(
  asked: Asked,
  { id, former }: { id: string; former: () => Former[] },
  own: Running,
): Promise<Outcome> {
  const tell = (event: AnswerEvent): void => {
    for (const listener of own.listeners) listener(event);
  };
  const endListening = asked.keepsake.events.listen((event) => {
    if (!('run' in event) || event.run !== id) return;
    own.steps.push(event);
    tell({ kind: 'step', number: own.steps.length, event });
  });
  const onText = (text: string): void => {
    if (own.text.length === longestText && text.startsWith(own.text)) return;
    own.text = text.slice(0, longestText);
    tell({ kind: 'text', text: own.text });
  };
  const { signal } = own.stopping;
  const outcome = await answerWith(asked, { id, former: former(), signal, onText }).then(
    (answered): Omit<Outcome, 'steps'> => ({ ...answered, state: 'done', problem: null }),
    (error: unknown): Omit<Outcome, 'steps'> =>
      signal.aborted
        ? { ...nothing, state: 'stopped' }
        : { ...nothing, state: 'failed', problem: told(error) },
  );
  endListening();
  return { ...outcome, steps: [...stepsOf(own)] };
}

/** How many that came before are looked at; how much of them is told is the agent's to say. */
const mostFormer = 10;

const nothing = { by: null, answer: null, problem: null };

type How = NonNullable<Parameters<Served['agents']['ask']>[2]> & { signal: AbortSignal };

/** With the agent, or where there is no model by fast search. */
export async function answerWith(
  { keepsake, question }: Pick<Asked, 'keepsake' | 'question'>,
  { signal, ...how }: How,
): Promise<{ by: 'agent' | 'search'; answer: Answer }> {
  try {
    return { by: 'agent', answer: await keepsake.agents.ask(question, signal, how) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'no-model') throw error;
    return { by: 'search', answer: await keepsake.findLines(question) };
  }
}

function stepsOf({ steps }: Running): readonly Step[] {
  return steps.reduce<readonly Step[]>(followSteps, []);
}

function told(error: unknown): Outcome['problem'] {
  const { code, detail, next } = describeProblem(explainError(error), '');
  return { code, detail, next };
}

function listed(
  { id, question, askedAt, follows, state, by, sources }: Listed,
  isRunning: boolean,
): ShownInList {
  const open = isRunning ? ('running' as const) : ('interrupted' as const);
  return { id, question, askedAt, follows, state: state ?? open, by, sources };
}
