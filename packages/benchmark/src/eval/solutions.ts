import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../vault/src/app/index.ts';
import type { ChatMessage, ChatModel, ChatStep } from '../../../vault/src/models/index.ts';
import { agentsWith } from './contender.ts';
import type { Contender } from './contender.ts';
import type { Scenario } from './filing-scenarios.ts';
import { readYaml } from './read-yaml.ts';

const solution = z.strictObject({
  inputs: z.array(
    z.strictObject({
      steps: z.array(
        z.strictObject({ calls: z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())])).min(1) }),
      ),
      summary: z.string().trim().min(1),
    }),
  ),
  questions: z
    .array(
      z.strictObject({
        files: z.array(z.strictObject({ path: z.string(), lines: z.string().optional() })).min(1),
      }),
    )
    .default([]),
});

/** What a model that does everything right would say: one element for each input, and for each question. */
type Solution = z.infer<typeof solution>;

/** Null when nobody has written one. */
export function readSolution(folder: string, { id, inputs, expect }: Scenario): Solution | null {
  const file = join(folder, 'solutions', `${id}.yaml`);
  if (!existsSync(file)) return null;
  const read = readYaml(file, solution);
  for (const [name, has, needs] of [
    ['inputs', read.inputs.length, inputs.length],
    ['questions', read.questions.length, expect.questions.length],
  ] as const)
    if (has !== needs)
      throw new AppError('bad-input', `${file}: the scenario has ${needs} ${name}, but the solution ${has}`);
  return read;
}

/** The agents with a model that follows the solution: it shows that a scenario can be passed. */
export function following({ inputs, questions }: Solution): Contender {
  let steps: readonly Step[] = [];
  // What was said before tells where in the script it is; a script that is over repeats its end.
  const model: ChatModel = {
    name: 'solution',
    step({ messages }) {
      const said = messages.filter(({ role }) => role === 'assistant').length;
      const { text, calls } = steps[said] ?? { text: steps.at(-1)?.text ?? '', calls: [] };
      return Promise.resolve(stepOf(text, calls, messages));
    },
  };
  const agents = agentsWith(model);
  return {
    model,
    file(keepsake, input, index, clock) {
      const { steps: taken, summary } = inputs[index] ?? { steps: [], summary: '' };
      steps = [
        ...taken.map(({ calls }, at) => ({
          text: at === taken.length - 1 ? `Summary: ${summary}` : '',
          calls,
        })),
        { text: summary, calls: [] },
      ];
      return agents.file(keepsake, input, index, clock);
    },
    ask(keepsake, question, index) {
      const calls: Call[] = [['concat', { files: questions[index]?.files ?? [] }]];
      steps = [{ text: 'What the vault says about it is below.\nIt is what it says now.', calls }];
      return agents.ask(keepsake, question, index);
    },
  };
}

type Call = Solution['inputs'][number]['steps'][number]['calls'][number];
type Step = { text: string; calls: readonly Call[] };

function stepOf(text: string, calls: readonly Call[], messages: readonly ChatMessage[]): ChatStep {
  const folder = incomingFolder(messages);
  return {
    text,
    calls: calls.map(([tool, input], index) => ({
      id: `${messages.length}-${index}`,
      tool,
      input: withFolder(input, folder),
      isInvalid: false,
    })),
    said: text,
    usage: { input: 0, cached: 0, written: 0, output: 0 },
  };
}

/** Where the agent was told that its input lies. */
function incomingFolder(messages: readonly ChatMessage[]): string {
  const texts = messages.flatMap((message) =>
    message.role === 'user' ? message.contents.map(({ text }) => text) : [],
  );
  return /It lies in (vault\/inbox\/[^\s/]+)/.exec(texts.join('\n'))?.[1] ?? '';
}

function withFolder(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return value.replaceAll('{{incoming}}', folder);
  if (Array.isArray(value)) return value.map((each) => withFolder(each, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withFolder(each, folder)]));
}
