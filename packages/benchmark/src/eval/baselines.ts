import type { Keepsake } from '../../../vault/src/app/index.ts';
import type { UpdateInput } from '../../../vault/src/contract/index.ts';
import type { ChatModel } from '../../../vault/src/models/index.ts';
import { createAgentSystem, inputDocuments } from './system-under-test.ts';
import type { SystemUnderTest, FilingResult } from './system-under-test.ts';

export const baselineNames = ['nothing', 'prose', 'raw-log', 'append'] as const;
export type BaselineName = (typeof baselineNames)[number];

/** Creates a baseline, which shows how scenarios score without a language model. */
export function createBaseline(name: BaselineName): SystemUnderTest {
  switch (name) {
    case 'nothing':
      return {
        file: () => Promise.resolve({ isSettled: false, isHeld: false, problems: [], spent: null }),
        ask: () => Promise.resolve([]),
      };
    case 'prose':
      return createAgentSystem(proseModel);
    case 'raw-log':
      return {
        file: (keepsake, input) => appendText(keepsake, 'vault/bucket/log.md', inputText(input), 'bottom'),
        ask: answerBySearch,
      };
    case 'append':
      return {
        file: (keepsake, input, _, clock) =>
          appendText(
            keepsake,
            'vault/changelog.md',
            `# ${clock.day()}\n\n${toChangelogEntry(inputText(input))}`,
            'top',
          ),
        ask: answerBySearch,
      };
  }
  return name satisfies never;
}

/** Imitates small models that describe the work instead of doing it. */
const proseModel: ChatModel = {
  name: 'prose',
  step: () => {
    const text = 'I have filed this in the right place.\nEverything is up to date.';
    const usage = { input: 0, cached: 0, written: 0, output: 0 };
    return Promise.resolve({ text, calls: [], rawMessages: text, usage });
  },
};

function inputText(input: UpdateInput): string {
  const words = [input.text, ...inputDocuments(input)].join('\n\n').trim();
  return words === '' ? input.files.map(({ name }) => name).join('\n') : words;
}

/** Uses the first line as the heading, with the whole text below it. */
function toChangelogEntry(words: string): string {
  const [title = ''] = words.split('\n');
  return `## ${title.slice(0, 80)}\n${words.replaceAll(/^#/gm, '\\#')}`;
}

async function appendText(
  keepsake: Keepsake,
  path: string,
  content: string,
  position: 'top' | 'bottom',
): Promise<FilingResult> {
  const exists = (await call(keepsake, 'read', { paths: [path] })).isWell;
  const added = await (exists
    ? call(keepsake, 'append', { path, content, position })
    : call(keepsake, 'write', { path, content }));
  return { isSettled: added.isWell, isHeld: false, problems: added.isWell ? [] : [added.text], spent: null };
}

/** Returns the lines that fast search shows for the unchanged question. */
async function answerBySearch(keepsake: Keepsake, question: string): Promise<string[]> {
  const { value } = await call(keepsake, 'search', { queries: [question], mode: 'fast' });
  const { sections = [] } = value as { sections?: { text: string }[] };
  // Removes the line numbers.
  return sections.flatMap(({ text }) => text.split('\n').map((line) => line.replace(/^\d+\s*\| ?/, '')));
}

async function call(
  { callTool }: Keepsake,
  tool: string,
  input: unknown,
): Promise<{ isWell: boolean; text: string; value: object }> {
  const outcome = await callTool({ tool, input, reader: 'person', origin: 'eval' });
  if (outcome.kind === 'refused') return { isWell: false, text: outcome.message, value: {} };
  const { text, value } = outcome.result;
  return { isWell: value.errors.length === 0, text, value };
}
