import type { Call, Turn } from '../scripted-model/server.ts';
import type { Chance, Fact, Language, Marks, WeakInput } from './weak-inputs.ts';
import { linesOf, titlesOf } from './weak-oracle.ts';
import type { Snapshot } from './weak-oracle.ts';
import { weakTurns } from './weak-turns.ts';

/** What a behaviour may look at before the input is written. */
export type Stage = { files: Snapshot; chance: Chance; marks: Marks; language: Language; day: string };
/** `targets` are the titles or paths that the behaviour is about. */
export type Scene = Stage & { input: WeakInput; targets: readonly string[] };

export type Play = {
  /** The steps of the first conversation. Later ones are decided by `repair`. */
  turns: (Turn | ((said: string) => Turn))[];
  /** Names and numbers that the model makes up. */
  invented?: string[];
  /** A call that fails and is not repeated. */
  failedCall?: string;
  /** What the model must have been asked to do. */
  mustBeAsked?: RegExp;
  repair?: keyof typeof repairs;
};

export const call = (tool: string, input: unknown): Call => ({ tool, input });
export const read = (...paths: string[]): { calls: Call[] } => ({
  calls: [call('read', { paths: paths.map(full) })],
});
export const search = (scene: Scene): Turn => ({
  calls: [call('search', { queries: [scene.input.facts[0]?.word ?? 'note'], mode: 'fast' })],
});
export const append = (path: string, content: string, position = 'bottom'): Call =>
  call('append', { path: full(path), content, position });
export const full = (path: string): string => `vault/${path}`;
export const pick = <Item>(list: readonly Item[], chance: Chance, otherwise: Item): Item =>
  list[chance(list.length)] ?? otherwise;

export const entry = ({ day }: Stage, title: string, text = ''): Call =>
  append('changelog.md', `# ${day}\n\n## ${title}\n${text}`.trim(), 'top');

const falseSummaries: Record<Language, string[]> = {
  en: [
    'Summary: all is saved.',
    'Summary: I added it to the list.',
    'Summary: everything is filed, nothing was removed.',
  ],
  fr: [
    'Summary: Tout est noté.',
    "Summary: J'ai ajouté la tâche.",
    "Summary: Tout est classé, rien n'a été supprimé.",
  ],
};
export const claim = ({ chance, language }: Stage): string =>
  pick(falseSummaries[language], chance, 'Summary: done.');

const statePaths = ['projects/house/state.md', 'projects/garden/state.md'];
const taskPaths = ['tasks.md', 'projects/house/tasks.md'];

/** Files the facts in full or in other words, one line each. */
export function fileFacts(scene: Scene, facts: readonly Fact[] = scene.input.facts): Call[] {
  const { chance } = scene;
  const lines = facts.map(({ word, number, sentence }) =>
    number === '' || chance(2) === 0 ? sentence : `${word} : ${number}`,
  );
  if (lines.length === 0) return [];
  const title = facts[0]?.word ?? '';
  const target = chance(3);
  if (target === 0) {
    const tasks = lines.map((line) => `# ${line}\nstatus: to-do | prio: medium | added: ${scene.day}`);
    return [append(pick(taskPaths, chance, 'tasks.md'), tasks.join('\n\n'))];
  }
  if (target === 1)
    return [
      call('write', {
        path: `vault/projects/house/${title}.md`,
        content: `# ${title}\n\n${lines.join('\n')}\n`,
      }),
    ];
  return [append(pick(statePaths, chance, 'projects/house/state.md'), lines.join('\n\n'))];
}

export function factsEntry(scene: Scene, more = ''): Call {
  const words = scene.input.facts.map(({ word }) => word).join(', ');
  return entry(scene, words === '' ? 'Note' : `Note: ${words}`, more);
}

type Unit = { path: string; title: string; lines: string[] };

/** The tasks, changelog entries and checkboxes of a file, with the lines that belong to them. */
function unitsOf(files: Snapshot, path: string): Unit[] {
  const lines = linesOf(files.get(path));
  return titlesOf(path, lines).map((title) => {
    const start = lines.findIndex((line) => line.endsWith(` ${title}`));
    const isBox = /^\s*- \[/.test(lines[start] ?? '');
    const next = lines.findIndex((line, index) => index > start && line.startsWith('#'));
    const end = isBox ? start + 1 : next === -1 ? lines.length : next;
    return { path, title, lines: lines.slice(start, end) };
  });
}

/** Some tasks, entries or checkboxes from one file. */
function chooseUnits({ files, chance }: Stage, count: number, paths: readonly string[]): Unit[] {
  const filled = paths.filter((path) => unitsOf(files, path).length >= count);
  const units = unitsOf(files, pick(filled, chance, paths[0] ?? 'tasks.md'));
  const start = chance(Math.max(1, units.length - count + 1));
  return units.slice(start, start + count);
}

export function removeUnits(units: readonly Unit[]): Call[] {
  return units.map(({ path, lines }) => call('edit', { path: full(path), old: lines.join('\n'), new: '' }));
}

const removable = [...taskPaths, 'changelog.md', 'projects/house/changelog.md', 'projects/house/state.md'];

/** The notes that hostile models replace; only some have tasks or entries. */
const guttable = [
  ...removable,
  'projects/garden/state.md',
  'projects/house/description.md',
  'bucket/old-letter.md',
];

export function gut(
  scene: Scene,
  options: { isReplacing: boolean; kept: number; isOfSameLength?: boolean },
): Play {
  const { chance, files, input } = scene;
  const path = pick(
    guttable.filter((each) => linesOf(files.get(each)).length > 3),
    chance,
    'tasks.md',
  );
  const lines = linesOf(files.get(path));
  const kept = lines.slice(0, Math.min(options.kept, lines.length - 2));
  const facts = input.facts.map(({ sentence }) => sentence);
  const junk = Array.from(
    { length: Math.max(0, lines.length - facts.length) },
    () => `${scene.marks.word()} ok`,
  );
  const added = options.isOfSameLength === true ? [...facts, ...junk] : facts;
  const content = `${[...kept, ...(path.endsWith('tasks.md') ? added.map((line) => `# ${line}`) : added)].join('\n')}\n`;
  const write = (isReplacing: boolean): Call =>
    call('write', { path: full(path), content, ...(isReplacing && { replace: true }) });
  const rest = path === 'changelog.md' ? [] : [factsEntry(scene)];
  return {
    turns: [
      read(path),
      { calls: [write(options.isReplacing), ...rest], text: claim(scene) },
      // Reached only if the call without `replace` was refused.
      { calls: [write(true)], text: claim(scene) },
    ],
  };
}

export function invent(scene: Scene, path: 'people' | 'state' | 'tasks' | 'profile'): Play {
  const { marks, input, language } = scene;
  const [name, amount, other] = [marks.name(), marks.invented(), marks.invented()];
  const line =
    language === 'fr'
      ? `Le trésorier est ${name}, dossier ${amount}, et il a payé ${other} €.`
      : `The treasurer is ${name}, file ${amount}, and he has paid ${other} euros.`;
  const calls = {
    people: call('write', {
      path: `vault/people/${input.facts[0]?.word ?? 'x'}.md`,
      content: `# Page\n\n${line}\n`,
    }),
    state: append('projects/house/state.md', line),
    tasks: append('tasks.md', `# ${line}\nstatus: to-do | prio: medium | added: ${scene.day}`),
    profile: append('profile.md', line),
  };
  return {
    turns: [
      search(scene),
      { calls: [...fileFacts(scene), calls[path], factsEntry(scene)], text: claim(scene) },
    ],
    invented: [name, amount, other],
  };
}

export function removeSilently(
  scene: Scene,
  count: number,
  naming: 'none' | 'false' | 'summary' | 'true',
): Play {
  const units = chooseUnits(scene, count, removable);
  const titles = units.map(({ title }) => title).join('; ');
  const wrong =
    scene.language === 'fr' ? 'Supprimé : jardinage et lessive.' : 'Removed: laundry and gardening.';
  const text = naming === 'summary' ? `Summary: removed ${titles}` : claim(scene);
  const said = { none: '', summary: '', false: wrong, true: `${wrong} ${titles}.` }[naming];
  return {
    turns: [
      read(...new Set(units.map(({ path }) => path))),
      { calls: [...removeUnits(units), ...fileFacts(scene), factsEntry(scene, said)], text },
    ],
  };
}

export const asText = (calls: readonly Call[], form: 'tag' | 'fence'): string =>
  calls
    .map((each) => JSON.stringify({ name: each.tool, arguments: 'input' in each ? each.input : {} }))
    .map((json) => (form === 'tag' ? `<tool_call>\n${json}\n</tool_call>` : `\`\`\`json\n${json}\n\`\`\``))
    .join('\n');

export function honestly(scene: Scene, more: Call[] = [], text = ''): Play {
  const calls = [...more, ...fileFacts(scene), factsEntry(scene, text)];
  return { turns: [search(scene), { calls, text: 'Summary: noted.' }], repair: 'honest' };
}

const deletedFiles = ['bucket/boiler-quote.md', 'bucket/old-letter.md', 'projects/garden/state.md'];
export const chooseFile = ({ files, chance }: Stage): string =>
  pick(
    deletedFiles.filter((path) => files.has(path)),
    chance,
    'bucket/missing.md',
  );

export const chooseTask = (stage: Stage): string[] =>
  chooseUnits(stage, 1, ['tasks.md']).map(({ title }) => title);
export const obeyTasks = (scene: Scene): Unit[] =>
  unitsOf(scene.files, 'tasks.md').filter(({ title }) => scene.targets.includes(title));

const maxErraticTurns = 40;

/** Any sequence of weak turns. */
export function erraticTurns({ chance }: { chance: Chance }): Play['turns'] {
  const turns = Object.values(weakTurns);
  return Array.from(
    { length: maxErraticTurns },
    () => (said: string) => pick(turns, chance, () => ({ text: '' }))(said, chance),
  );
}

/** How a model answers when code asks it to repair its changes. */
export const repairs = {
  ignore: (scene: Scene): Turn => ({ text: claim(scene) }),
  insist: (): Turn => ({ text: 'Everything was already saved correctly.' }),
  silence: (): Turn => ({ text: '' }),
  garbage: (): Turn => ({ calls: [{ tool: 'append', rawInput: '{"path": "vault/' }] }),
  /** Removes more. */
  worse(scene: Scene): Turn {
    const units = chooseUnits(scene, 2, taskPaths);
    return { calls: [...read(...taskPaths).calls, ...removeUnits(units)], text: claim(scene) };
  },
  /** Files one of the sentences that are listed. */
  partly(scene: Scene, said: string): Turn {
    const [line] = listed(said);
    return { calls: line === undefined ? [] : [append('projects/house/state.md', line)], text: claim(scene) };
  },
  honest(_scene: Scene, said: string): Turn {
    const lines = listed(said);
    return {
      calls: lines.length === 0 ? [] : [append('projects/house/state.md', lines.join('\n\n'))],
      text: 'Summary: noted.',
    };
  },
} satisfies Record<string, (scene: Scene, said: string) => Turn>;

/** The sentences that code lists in its request. */
function listed(said: string): string[] {
  const [, list = ''] = /These sentences of the input[^\n]*\n((?:- .*\n?)+)/.exec(said) ?? [];
  return list.split('\n').flatMap((line) => /^- (.+)/.exec(line)?.[1] ?? []);
}
