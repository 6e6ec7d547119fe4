import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScenarios, scenarioSets, initialFiles } from './filing-scenarios.ts';
import type { Scenario } from './filing-scenarios.ts';

/** Describes a folder of scenarios in two markdown tables of counts. */
export function formatDataCard(folder: string): string {
  const sets = scenarioSets.map((set) => readScenarios(folder, set));
  const row = (name: string, valueOf: (scenarios: readonly Scenario[]) => string): string =>
    `| ${[name, ...sets.map(valueOf)].join(' | ')} |`;
  const inLanguage = (language: Scenario['language']) => (scenarios: readonly Scenario[]) =>
    String(scenarios.filter((each) => each.language === language).length);
  const counts = [
    row('', (scenarios) => (scenarios === sets[0] ? 'Single scenarios' : 'Sequences')),
    '| --- | --: | --: |',
    row('scenarios', (scenarios) => String(scenarios.length)),
    row('in French', inLanguage('fr')),
    row('in English', inLanguage('en')),
    row('in German', inLanguage('de')),
    row('with a solution', (scenarios) =>
      String(scenarios.filter(({ id }) => existsSync(join(folder, 'solutions', `${id}.yaml`))).length),
    ),
    row('inputs in total', (scenarios) => whole(sum(scenarios, ({ inputs }) => inputs.length))),
    row('inputs per scenario, min to max', (scenarios) => range(scenarios, ({ inputs }) => inputs.length)),
    row('tokens of the initial vault, min to max', (scenarios) =>
      range(scenarios, (scenario) => tokens([...initialFiles(folder, scenario).values()])),
    ),
    row('tokens of the inputs without images, min to max', (scenarios) =>
      range(scenarios, ({ inputs }) => tokens(inputs.flatMap((input) => textsOf(folder, input)))),
    ),
    row('expected facts', (scenarios) => whole(sum(scenarios, ({ expect }) => expect.facts.length))),
    row('questions about the final state', (scenarios) =>
      whole(sum(scenarios, ({ expect }) => expect.questions.length)),
    ),
  ];
  const tagged = countTags(sets.flat());
  const tags = tagged.map(([tag, count]) => `| ${tag} | ${count} |`);
  return [...counts, '', '| Tag | Scenarios and sequences |', '| --- | --: |', ...tags].join('\n');
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

/** Sorts by descending count, then by name. */
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

/** An estimate: a quarter of the characters. */
function tokens(texts: readonly string[]): number {
  return Math.ceil(texts.join('\n').length / 4);
}

function whole(number: number): string {
  return number.toLocaleString('en-US');
}
