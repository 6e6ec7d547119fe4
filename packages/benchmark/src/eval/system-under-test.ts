import type { Keepsake, Update } from '../../../vault/src/app/index.ts';
import type { UpdateInput, UpdateResult } from '../../../vault/src/contract/index.ts';
import type { ChatModel } from '../../../vault/src/models/index.ts';
import type { Receipt } from './filing-outcome.ts';
import type { EvaluationClock } from './evaluation-clock.ts';

/** The system under test, which files the inputs of a scenario and answers its questions: the agents with a model, or a baseline. */
export type SystemUnderTest = {
  /** Replaces the configured model of the agents. */
  model?: ChatModel;
  file(keepsake: Keepsake, input: UpdateInput, index: number, clock: EvaluationClock): Promise<FilingResult>;
  /** Removes words that the user wants to be forgotten; a system without this keeps them. */
  forget?: (keepsake: Keepsake, words: string) => Promise<void>;
  /** Returns the lines of the answer, best first. */
  ask(keepsake: Keepsake, question: string, index: number): Promise<string[]>;
  /** How often the review before a commit asked for a repair; only counted for the reference solutions. */
  repairs?: () => number;
};

export type FilingResult = {
  isSettled: boolean;
  isHeld: boolean;
  /** What the user was told; null if nothing. */
  receipt?: Receipt | null;
  problems: string[];
  /** Null when no model was called. */
  spent: Update['spent'];
};

/** Runs the agents with the configured model, or with a given one that answers immediately. */
export function createAgentSystem(model?: ChatModel): SystemUnderTest {
  return {
    ...(model !== undefined && { model }),
    file: (keepsake, input, _, clock) => fileWithAgent(keepsake, input, model === undefined ? null : clock),
    async forget({ forget }, words) {
      const target = { kind: 'words', words: [words] } as const;
      await forget.run(target, (await forget.plan(target)).shown);
    },
    async ask({ agents }, question) {
      const { blocks } = await agents.ask(question, new AbortController().signal);
      return blocks.flatMap(({ text }) => text.split('\n'));
    },
  };
}

/** With a clock, skips the delay before a retry: only an overloaded provider benefits from waiting. */
async function fileWithAgent(
  { agents: { updates }, accept, events }: Keepsake,
  input: UpdateInput,
  clock: EvaluationClock | null,
): Promise<FilingResult> {
  const errors: string[] = [];
  const { id } = await accept(input);
  for (;;) {
    const failed = new AbortController();
    const stopListening = events.subscribe((event) => {
      if (clock !== null && event.type === 'update-failed' && event.update === id) failed.abort();
    });
    await updates.work(id, failed.signal, (error) => void errors.push(String(error)));
    stopListening();
    const update = updates.find(id);
    if (update === undefined) throw new Error(`update ${id} was accepted but not found`);
    const { state, reason, result, spent } = update;
    if (state === 'waiting' && clock !== null) {
      clock.skip(maxRetryDelayMs);
      continue;
    }
    const isSettled = state === 'done';
    return {
      isSettled,
      isHeld: result?.kind === 'held',
      receipt: result === null || !isSettled ? null : toReceipt(result),
      problems: [...(isSettled ? [] : [`${state}: ${reason?.text}`]), ...errors],
      spent,
    };
  }
}

function toReceipt(result: UpdateResult): Receipt {
  switch (result.kind) {
    case 'filed':
      return {
        outcome: result.asked === null ? 'filed' : 'asked',
        text: result.summary,
        paths: result.receipt?.files.map(({ path }) => path) ?? [],
      };
    case 'held':
      return { outcome: 'held', text: result.summary };
    case 'unchanged':
      return { outcome: 'known', text: result.summary };
  }
  return result satisfies never;
}

/** Longer than the retry delays of the queue. */
const maxRetryDelayMs = 5 * 60_000;

/** The texts of the input files; images have none. */
export function inputDocuments({ files }: UpdateInput): string[] {
  return files.flatMap(({ name, bytes }) =>
    /\.(?:md|txt)$/i.test(name) ? [Buffer.from(bytes).toString()] : [],
  );
}
