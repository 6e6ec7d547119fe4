import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScenarios, scenarioSets, startingFiles } from './filing-scenarios.ts';
import type { Scenario } from './filing-scenarios.ts';

/** What a folder of scenarios holds, counted, as two markdown tables. */
export function dataCard(folder: string): string {
  const sets = scenarioSets.map((set) => readScenarios(folder, set));
  const row = (name: string, valueOf: (scenarios: readonly Scenario[]) => string): string =>
    `| ${[name, ...sets.map(valueOf)].join(' | ')} |`;
  const inLanguage = (language: Scenario['language']) => (scenarios: readonly Scenario[]) =>
    String(scenarios.filter((each) => each.language === language).length);
  const counts = [
    row('', (scenarios) => (scenarios === sets[0] ? 'Single scenarios' : 'Sequences')),
    '| --- | --: | --: |',
    row('how many', (scenarios) => String(scenarios.length)),
    row('in French', inLanguage('fr')),
    row('in English', inLanguage('en')),
    row('in German', inLanguage('de')),
    row('with a solution', (scenarios) =>
      String(scenarios.filter(({ id }) => existsSync(join(folder, 'solutions', `${id}.yaml`))).length),
    ),
    row('inputs, all together', (scenarios) => whole(sum(scenarios, ({ inputs }) => inputs.length))),
    row('inputs in one, least to most', (scenarios) => range(scenarios, ({ inputs }) => inputs.length)),
    row('tokens of the vault before, least to most', (scenarios) =>
      range(scenarios, (scenario) => tokens([...startingFiles(folder, scenario).values()])),
    ),
    row('tokens of what comes in, without pictures, least to most', (scenarios) =>
      range(scenarios, ({ inputs }) => tokens(inputs.flatMap((input) => textsOf(folder, input)))),
    ),
    row('facts that must stand somewhere', (scenarios) =>
      whole(sum(scenarios, ({ expect }) => expect.facts.length)),
    ),
    row('questions about the end state', (scenarios) =>
      whole(sum(scenarios, ({ expect }) => expect.questions.length)),
    ),
  ];
  const tagged = countTags(sets.flat());
  const tags = tagged.map(([tag, count]) => `| ${tag} | ${count} |`);
  return [...counts, '', '| What is tried | Scenarios and sequences |', '| --- | --: |', ...tags].join('\n');
}

function textsOf(folder: string, { text, files }: Scenario['inputs'][number]): string[] {
  const documents = files.filter((name) => /\.(?:md|txt)$/i.test(name));
  return [text, ...documents.map((name) => readFileSync(join(folder, 'inputs', name), 'utf8'))];
}

function countTags(scenarios: readonly Scenario[]): [string, number][] {
  const groups = Map.groupBy(
    scenarios.flatMap(({ tags }) => tags),
    (tag) => tag,
  );
  return [...groups].map(([tag, all]): [string, number] => [tag, all.length]).toSorted(byCount);
}

/** Most first, and by name where there are as many. */
function byCount([a, manyA]: [string, number], [b, manyB]: [string, number]): number {
  return manyB - manyA || (a < b ? -1 : 1);
}

function sum(scenarios: readonly Scenario[], valueOf: (scenario: Scenario) => number): number {
  return scenarios.reduce((total, each) => total + valueOf(each), 0);
}

function range(scenarios: readonly Scenario[], valueOf: (scenario: Scenario) => number): string {
  const values = scenarios.map(valueOf);
  return values.length === 0 ? '-' : `${whole(Math.min(...values))} to ${whole(Math.max(...values))}`;
}

/** About: a quarter of the characters. */
function tokens(texts: readonly string[]): number {
  return Math.ceil(texts.join('\n').length / 4);
}

function whole(number: number): string {
  return number.toLocaleString('en-US');
}
