import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../vault/src/app/index.ts';
import type { ChatMessage, ChatModel, ChatStep } from '../../../vault/src/models/index.ts';
import { createAgentSystem } from './system-under-test.ts';
import type { SystemUnderTest } from './system-under-test.ts';
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

/** The responses of a perfect model: one entry per input, and one per question. */
type Solution = z.infer<typeof solution>;

/** Null when the scenario has no solution. */
export function readSolution(folder: string, { id, inputs, expect }: Scenario): Solution | null {
  const file = join(folder, 'solutions', `${id}.yaml`);
  if (!existsSync(file)) return null;
  const read = readYaml(file, solution);
  for (const [name, has, needs] of [
    ['inputs', read.inputs.length, inputs.length],
    ['questions', read.questions.length, expect.questions.length],
  ] as const)
    if (has !== needs)
      throw new AppError(
        'bad-input',
        `${file}: the scenario has ${needs} ${name}, but the solution has ${has}`,
      );
  return read;
}

/** Runs the agents with a model that follows the solution, which proves that the scenario can be passed. */
export function createReferenceSystem({ inputs, questions }: Solution): SystemUnderTest {
  let steps: readonly Step[] = [];
  let repairs = 0;
  // The number of earlier replies is the position in `steps`; after the last step, its text is repeated without calls.
  const model: ChatModel = {
    name: 'solution',
    step({ messages }) {
      const position = messages.filter(({ role }) => role === 'assistant').length;
      if (isRepairRequest(messages.at(-1))) repairs += 1;
      const { text, calls } = steps[position] ?? { text: steps.at(-1)?.text ?? '', calls: [] };
      return Promise.resolve(toChatStep(text, calls, messages));
    },
  };
  const agents = createAgentSystem(model);
  return {
    model,
    repairs: () => repairs,
    ...(agents.forget !== undefined && { forget: agents.forget }),
    file(keepsake, input, index, clock) {
      const { steps: solutionSteps, summary } = inputs[index] ?? { steps: [], summary: '' };
      steps = [
        ...solutionSteps.map(({ calls }, at) => ({
          text: at === solutionSteps.length - 1 ? `Summary: ${summary}` : '',
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

/** Whether the agent is asked to repair its changes: a false alarm, because the solution is right. */
function isRepairRequest(message: ChatMessage | undefined): boolean {
  return (
    message?.role === 'user' && message.content.some(({ text }) => text.includes('a check found problems'))
  );
}

type Call = Solution['inputs'][number]['steps'][number]['calls'][number];
type Step = { text: string; calls: readonly Call[] };

function toChatStep(text: string, calls: readonly Call[], messages: readonly ChatMessage[]): ChatStep {
  const folder = parseInputFolder(messages);
  return {
    text,
    calls: calls.map(([tool, input], index) => ({
      id: `${messages.length}-${index}`,
      toolName: tool,
      input: substituteFolder(input, folder),
      isInvalid: false,
    })),
    rawMessages: text,
    usage: { input: 0, cached: 0, written: 0, output: 0 },
  };
}

/** Reads the path of the input folder from the agent's prompt. */
function parseInputFolder(messages: readonly ChatMessage[]): string {
  const texts = messages.flatMap((message) =>
    message.role === 'user' ? message.content.map(({ text }) => text) : [],
  );
  return /It is stored in (vault\/inbox\/[^\s/]+)/.exec(texts.join('\n'))?.[1] ?? '';
}

function substituteFolder(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return value.replaceAll('{{incoming}}', folder);
  if (Array.isArray(value)) return value.map((each) => substituteFolder(each, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, substituteFolder(each, folder)]),
  );
}
