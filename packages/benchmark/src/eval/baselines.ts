import type { Keepsake } from '../../../vault/src/app/index.ts';
import type { UpdateInput } from '../../../vault/src/contract/index.ts';
import type { ChatModel } from '../../../vault/src/models/index.ts';
import { agentsWith, documentsIn } from './contender.ts';
import type { Contender, Filed } from './contender.ts';

export const baselineNames = ['nothing', 'prose', 'raw-log', 'append'] as const;
export type BaselineName = (typeof baselineNames)[number];

/** What a scenario is worth without any model that understands it. */
export function baseline(name: BaselineName): Contender {
  switch (name) {
    case 'nothing':
      return {
        file: () => Promise.resolve({ isSettled: false, isHeld: false, problems: [], spent: null }),
        ask: () => Promise.resolve([]),
      };
    case 'prose':
      return agentsWith(proseModel);
    case 'raw-log':
      return {
        file: (keepsake, input) => add(keepsake, 'vault/bucket/log.md', wordsOf(input), 'bottom'),
        ask: askSearch,
      };
    case 'append':
      return {
        file: (keepsake, input, _, clock) =>
          add(keepsake, 'vault/changelog.md', `# ${clock.day()}\n\n${entryOf(wordsOf(input))}`, 'top'),
        ask: askSearch,
      };
  }
  return name satisfies never;
}

/** Small models often do only this: they tell what they would do. */
const proseModel: ChatModel = {
  name: 'prose',
  step: () => {
    const text = 'I have filed this in the right place.\nEverything is up to date.';
    const usage = { input: 0, cached: 0, written: 0, output: 0 };
    return Promise.resolve({ text, calls: [], said: text, usage });
  },
};

function wordsOf(input: UpdateInput): string {
  const words = [input.text, ...documentsIn(input)].join('\n\n').trim();
  return words === '' ? input.files.map(({ name }) => name).join('\n') : words;
}

/** The first line as a heading, and all of it below. */
function entryOf(words: string): string {
  const [title = ''] = words.split('\n');
  return `## ${title.slice(0, 80)}\n${words.replaceAll(/^#/gm, '\\#')}`;
}

async function add(
  keepsake: Keepsake,
  path: string,
  content: string,
  position: 'top' | 'bottom',
): Promise<Filed> {
  const isThere = (await call(keepsake, 'read', { paths: [path] })).isWell;
  const added = await (isThere
    ? call(keepsake, 'append', { path, content, position })
    : call(keepsake, 'write', { path, content }));
  return { isSettled: added.isWell, isHeld: false, problems: added.isWell ? [] : [added.text], spent: null };
}

/** What fast search shows for the question as it is. */
async function askSearch(keepsake: Keepsake, question: string): Promise<string[]> {
  const { value } = await call(keepsake, 'search', { queries: [question], mode: 'fast' });
  const { sections = [] } = value as { sections?: { text: string }[] };
  // Each line has its number in front.
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
