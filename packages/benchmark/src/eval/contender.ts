import type { Keepsake, Update } from '../../../vault/src/app/index.ts';
import type { UpdateInput } from '../../../vault/src/contract/index.ts';
import type { ChatModel } from '../../../vault/src/models/index.ts';
import type { EvaluationClock } from './evaluation-clock.ts';

/** Whoever files the inputs of one scenario and answers its questions: the agents with a model, or something simpler. */
export type Contender = {
  /** For the agents, in place of the configured model. */
  model?: ChatModel;
  file(keepsake: Keepsake, input: UpdateInput, index: number, clock: EvaluationClock): Promise<Filed>;
  /** The lines it shows, best first. */
  ask(keepsake: Keepsake, question: string, index: number): Promise<string[]>;
};

export type Filed = {
  isSettled: boolean;
  isHeld: boolean;
  problems: string[];
  /** Null when no model was asked. */
  spent: Update['spent'];
};

/** The agents with the configured model, or with one that answers at once and needs nobody to wait for it. */
export function agentsWith(model?: ChatModel): Contender {
  return {
    ...(model !== undefined && { model }),
    file: (keepsake, input, _, clock) => fileWithAgent(keepsake, input, model === undefined ? null : clock),
    async ask({ agents }, question) {
      const { blocks } = await agents.ask(question, new AbortController().signal);
      return blocks.flatMap(({ text }) => text.split('\n'));
    },
  };
}

/** With a clock, the time until the next attempt is skipped: only a provider that is too busy gets better by waiting. */
async function fileWithAgent(
  { agents: { updates }, events }: Keepsake,
  input: UpdateInput,
  clock: EvaluationClock | null,
): Promise<Filed> {
  const errors: string[] = [];
  const { id } = await updates.accept(input);
  for (;;) {
    const failed = new AbortController();
    const stopListening = events.listen((event) => {
      if (clock !== null && event.type === 'update-failed' && event.update === id) failed.abort();
    });
    await updates.work(id, failed.signal, (error) => void errors.push(String(error)));
    stopListening();
    const update = updates.find(id);
    if (update === undefined) throw new Error(`the update ${id} was accepted, but is not there`);
    const { state, reason, result, spent } = update;
    if (state === 'waiting' && clock !== null) {
      clock.skip(longestWait);
      continue;
    }
    const isSettled = state === 'done';
    return {
      isSettled,
      isHeld: result?.kind === 'held',
      problems: [...(isSettled ? [] : [`${state}: ${reason?.text}`]), ...errors],
      spent,
    };
  }
}

/** More than a queue waits before it tries again. */
const longestWait = 5 * 60_000;

/** The text of what came in as a file; a picture has none. */
export function documentsIn({ files }: UpdateInput): string[] {
  return files.flatMap(({ name, bytes }) =>
    /\.(?:md|txt)$/i.test(name) ? [Buffer.from(bytes).toString()] : [],
  );
}
