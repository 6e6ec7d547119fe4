import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { AppError } from '../../app/index.ts';
import type { Keepsake, VaultService } from '../../app/index.ts';
import { parseScopedQuestion, reduceSteps } from '../../contract/index.ts';
import type { Answer, api, FoundPassage, KeepsakeEvent, Step } from '../../contract/index.ts';
import { findFolder, parseVaultPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { toProblem } from '../http/to-problem.ts';
import { toProblemBody } from '../http/problem.ts';
import { openAnswerStore, ownerPrincipalId } from './answer-store.ts';
import type { StoredQuestion, StoredAnswer, AnswerSummary, AnswerOutcome } from './answer-store.ts';

type AnswerView = z.output<typeof api.savedAnswer>;
type AnswerListItem = z.output<typeof api.savedAnswers>['answers'][number];

/** An event of a running answer, for its subscribers. `number` counts the steps from 1. */
export type AnswerEvent =
  | { kind: 'step'; number: number; event: KeepsakeEvent }
  /** The complete text that the model has written so far. */
  | { kind: 'text'; text: string }
  /** The passages that the agent has found most recently. */
  | { kind: 'passages'; passages: readonly FoundPassage[] }
  | { kind: 'done' };

/** Answers that run in the background. Each is visible only to the principal that asked. */
export type Answers = {
  /** Starts an answer and returns its id; the question is on disk by then. `end` is called when the answer is finished. */
  start(request: QuestionRequest, end: () => void): string;
  list(principalId: string, limit: number): AnswerListItem[];
  find(principalId: string, id: string): AnswerView | null;
  /** Replays the events after this step, then sends new ones until the answer is finished. Returns a function that unsubscribes. */
  subscribe(id: string, after: number, listener: (event: AnswerEvent) => void): () => void;
  /** Has no effect on a finished answer or on one of another principal. */
  stop(principalId: string, id: string): void;
  remove(principalId: string, id: string): boolean;
  removeAll(principalId: string): number;
  /** Number of unfinished answers. */
  countRunning(): number;
  /** Aborts unfinished answers; they are reported as interrupted afterwards. */
  close(): void;
};

export type QuestionRequest = {
  /** The vault as the principal may see it. */
  keepsake: VaultService;
  principalId: string;
  question: string;
  follows: string | null;
};

type Running = {
  steps: KeepsakeEvent[];
  text: string;
  passages: readonly FoundPassage[];
  listeners: Set<(event: AnswerEvent) => void>;
  stopping: AbortController;
  principalId: string;
};

/** Length to which the text of a running answer is truncated. */
const maxDraftLength = 4_000;

export function createAnswers(keepsake: Keepsake): Answers {
  const store = openAnswerStore(keepsake);
  const running = new Map<string, Running>();
  let isClosed = false;

  const visibilityKey = (): string => String(keepsake.restricted.visibilityKey());
  /** An answer given to a client is hidden once the exclusion patterns change: it may quote files that are hidden now. */
  const isVisible = (question: StoredQuestion): boolean =>
    question.principalId === ownerPrincipalId || question.visibilityKey === visibilityKey();
  const findStored = (principalId: string, id: string): StoredAnswer | null => {
    const found = store().find(principalId, id);
    return found === null || !isVisible(found) ? null : found;
  };

  const stop = (principalId: string, id: string): void => {
    const own = running.get(id);
    if (own?.principalId === principalId) own.stopping.abort();
  };

  return {
    start(request, end) {
      const { principalId, question, follows } = request;
      const before = follows === null ? null : findStored(principalId, follows);
      const id = randomUUID();
      const thread = before?.thread ?? id;
      const askedAt = Date.now();
      store().add({ id, principalId, thread, follows, question, askedAt, visibilityKey: visibilityKey() }, [
        ...running.keys(),
      ]);
      const own: Running = {
        steps: [],
        text: '',
        passages: [],
        listeners: new Set(),
        stopping: new AbortController(),
        principalId,
      };
      running.set(id, own);
      void runAnswer(
        request,
        { id, collectTurns: () => collectPreviousTurns(request, findStored, visibilityKey()) },
        own,
      )
        // An aborted answer gets no outcome, which marks it as interrupted.
        .then((outcome) => isClosed || store().end(id, outcome))
        // If the disk is full or fails, the answer counts as interrupted.
        .catch(() => undefined)
        .finally(() => {
          running.delete(id);
          for (const listener of own.listeners) listener({ kind: 'done' });
          end();
        });
      return id;
    },
    list: (principalId, limit) =>
      store()
        .list(principalId, limit)
        .filter(isVisible)
        .map((each) => toListItem(each, running.has(each.id))),
    find(principalId, id) {
      const found = findStored(principalId, id);
      if (found === null) return null;
      return toAnswerView(found, store().inThread(principalId, found.thread), running.get(id));
    },
    subscribe(id, after, listener) {
      const own = running.get(id);
      if (own === undefined) {
        listener({ kind: 'done' });
        return () => undefined;
      }
      for (const [index, event] of own.steps.entries())
        if (index >= after) listener({ kind: 'step', number: index + 1, event });
      if (own.passages.length > 0) listener({ kind: 'passages', passages: own.passages });
      if (own.text !== '') listener({ kind: 'text', text: own.text });
      own.listeners.add(listener);
      return () => void own.listeners.delete(listener);
    },
    stop,
    remove(principalId, id) {
      stop(principalId, id);
      return store().remove(principalId, id) > 0;
    },
    removeAll(principalId) {
      for (const id of running.keys()) stop(principalId, id);
      return store().removeAll(principalId);
    },
    countRunning: () => running.size,
    close() {
      isClosed = true;
      for (const { stopping } of running.values()) stopping.abort();
    },
  };
}

function toAnswerView(
  { id, question, askedAt, follows, outcome }: StoredAnswer,
  thread: AnswerView['thread'],
  own: Running | undefined,
): AnswerView {
  return {
    id,
    question,
    askedAt,
    follows,
    thread,
    ...(outcome ?? {
      ...nothing,
      state: own === undefined ? 'interrupted' : 'running',
      steps: own === undefined ? [] : [...toSteps(own)],
    }),
  };
}

type PreviousTurn = { question: string; document: string | null };

/** Includes an earlier answer of the agent only if the exclusion patterns are unchanged: it may quote files that are hidden now. */
function collectPreviousTurns(
  { principalId, follows }: QuestionRequest,
  find: (principalId: string, id: string) => StoredAnswer | null,
  visibilityKey: string,
): PreviousTurn[] {
  const all: PreviousTurn[] = [];
  for (let id = follows; id !== null && all.length < maxPreviousTurns;) {
    const found = find(principalId, id);
    if (found === null) break;
    const { question, outcome } = found;
    const isOwn = outcome?.by === 'agent' && found.visibilityKey === visibilityKey;
    all.unshift({ question, document: isOwn ? (outcome.answer?.document ?? null) : null });
    id = found.follows;
  }
  return all;
}

/** Answers a question and notifies the listeners of its steps and its text. */
async function runAnswer(
  request: QuestionRequest,
  { id, collectTurns }: { id: string; collectTurns: () => PreviousTurn[] },
  own: Running,
): Promise<AnswerOutcome> {
  const notify = (event: AnswerEvent): void => {
    for (const listener of own.listeners) listener(event);
  };
  const unsubscribe = request.keepsake.events.subscribe((event) => {
    if (!('run' in event) || event.run !== id) return;
    own.steps.push(event);
    notify({ kind: 'step', number: own.steps.length, event });
  });
  const onText = (text: string): void => {
    if (own.text.length === maxDraftLength && text.startsWith(own.text)) return;
    own.text = text.slice(0, maxDraftLength);
    notify({ kind: 'text', text: own.text });
  };
  const onPassages = (found: readonly FoundPassage[]): void => {
    own.passages = mergePassages(found, own.passages);
    notify({ kind: 'passages', passages: own.passages });
  };
  const { signal } = own.stopping;
  const outcome = await answerOrSearch(request, {
    id,
    previousTurns: collectTurns(),
    signal,
    onText,
    onPassages,
  }).then(
    (answered): Omit<AnswerOutcome, 'steps'> => ({ ...answered, state: 'done', problem: null }),
    (error: unknown): Omit<AnswerOutcome, 'steps'> =>
      signal.aborted
        ? { ...nothing, state: 'stopped' }
        : { ...nothing, state: 'failed', problem: toProblemView(error) },
  );
  unsubscribe();
  return { ...outcome, steps: [...toSteps(own)] };
}

/** Maximum number of passages that are shown while the agent works. */
const maxPassages = 6;

/** The newest passages first, each once. */
function mergePassages(found: readonly FoundPassage[], known: readonly FoundPassage[]): FoundPassage[] {
  const all = new Map([...found, ...known].toReversed().map((each) => [`${each.path}:${each.best}`, each]));
  return [...all.values()].toReversed().slice(0, maxPassages);
}

/** Maximum number of earlier turns that are loaded; the agent decides how much of them it uses. */
const maxPreviousTurns = 10;

const nothing = { by: null, answer: null, problem: null };

type AskOptions = NonNullable<Parameters<VaultService['agents']['ask']>[2]> & { signal: AbortSignal };

/** Answers with the agent, or with fast search if no model is configured. */
export async function answerOrSearch(
  { keepsake, question }: Pick<QuestionRequest, 'keepsake' | 'question'>,
  { signal, ...options }: AskOptions,
): Promise<{ by: 'agent' | 'search'; answer: Answer }> {
  const { folder, words } = await findQuestionFolder(keepsake, [
    question,
    ...(options.previousTurns ?? []).map((turn) => turn.question).toReversed(),
  ]);
  try {
    return { by: 'agent', answer: await keepsake.agents.ask(words, signal, { ...options, folder }) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'no-model') throw error;
    return { by: 'search', answer: await keepsake.findLines(words, folder) };
  }
}

/**
 * The folder that a question names in front of its words. A follow-up question that names none is about the folder of
 * the one before it. `questions` are newest first.
 */
async function findQuestionFolder(
  keepsake: VaultService,
  questions: readonly string[],
): Promise<{ folder: VaultPath | undefined; words: string }> {
  const contents = await keepsake.contents();
  const scoped = questions.map((question) => {
    const parsed = parseScopedQuestion(question);
    const path = parseVaultPath(parsed?.folder ?? '');
    const isFolder = parsed !== null && path.ok && findFolder(contents, path.path) !== undefined;
    return isFolder ? { folder: path.path, words: parsed.words } : null;
  });
  const words = scoped[0]?.words ?? questions[0] ?? '';
  return { folder: scoped.find((each) => each !== null)?.folder, words };
}

function toSteps({ steps }: Running): readonly Step[] {
  return steps.reduce<readonly Step[]>(reduceSteps, []);
}

function toProblemView(error: unknown): AnswerOutcome['problem'] {
  const { code, detail, next } = toProblemBody(toProblem(error), '');
  return { code, detail, next };
}

function toListItem(
  { id, question, askedAt, follows, state, by, sources }: AnswerSummary,
  isRunning: boolean,
): AnswerListItem {
  const open = isRunning ? ('running' as const) : ('interrupted' as const);
  return { id, question, askedAt, follows, state: state ?? open, by, sources };
}
