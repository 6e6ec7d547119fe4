import type { AnswerQuestion } from '../answer-questions.ts';
import { capitalize, fillTemplate } from './phrasebook.ts';
import type { Phrasebook } from './phrasebook.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { simulateSequence } from './sequence.ts';
import { formatFact, initialVault, vaultPaths } from './vault-text.ts';
import type { Fact, Task, World } from './world.ts';

export type GeneratedAnswerSet = {
  name: string;
  vault: ReadonlyMap<string, string>;
  questions: GeneratedQuestion[];
};
type GeneratedQuestion = Partial<AnswerQuestion> &
  Pick<AnswerQuestion, 'id' | 'language' | 'kind' | 'question' | 'evidence'>;
type Parts = Pick<GeneratedQuestion, 'question' | 'evidence' | 'says' | 'wrong'>;

/** The share of the questions of each kind. Facts fill the rest. */
const shares = { several: 0.2, time: 0.18, update: 0.18, absent: 0.16, preference: 0.14 } as const;

/** Months of inputs as the vault that they lead to, with questions of six kinds and their answers. */
export function generateAnswerSet(
  book: Phrasebook,
  { seed, questions: count }: { seed: number; questions: number },
): GeneratedAnswerSet {
  const { world, generated, end } = simulateSequence(book, { seed, updates: 70, transcripts: 3_000 });
  const name = `${book.language}-months-${seed}`;
  const random = createRandom(`${name} ${count}`);
  const vault = finalVault(world, end, changelogEntries(generated));
  const parts = collectQuestions(world, vault, random);
  const wanted = Object.entries(shares).map(([kind, share]) => [kind as keyof typeof shares, share] as const);
  const chosen = wanted.flatMap(([kind, share]) =>
    parts[kind].slice(0, Math.round(count * share)).map((each) => ({ ...each, kind })),
  );
  const facts = parts.fact
    .slice(0, count - chosen.length)
    .map((each) => ({ ...each, kind: 'fact' as const }));
  return {
    name,
    vault,
    questions: [...facts, ...chosen].map(({ kind, ...each }, index) => ({
      id: `${name}-${kind}-${String(index + 1).padStart(2, '0')}`,
      language: book.language,
      kind,
      vault: name,
      ...each,
      ...(kind === 'absent' && { unanswerable: true as const }),
    })),
  };
}

/** The current values of everything, and what happened in the changelogs. */
function finalVault(
  world: World,
  end: string,
  entries: ReadonlyMap<string, string[]>,
): ReadonlyMap<string, string> {
  for (const owner of [...world.activeProjects, world])
    owner.tasks = owner.tasks.filter(({ state }) => state === 'open');
  const files = initialVault(world);
  for (const [path, added] of entries) {
    const text = files.get(path);
    if (text === undefined) continue;
    const at = text.indexOf('\n# ') + 1;
    files.set(path, `${text.slice(0, at)}${added.toReversed().join('\n\n')}\n\n${text.slice(at)}`);
  }
  return new Map(
    [...files].map(([path, text]) => [path, text.replace(/^updated: .*$/m, `updated: ${end}T21:00:00`)]),
  );
}

/** What the solutions write into changelogs, by path and in order. */
function changelogEntries(
  generated: ReturnType<typeof simulateSequence>['generated'],
): ReadonlyMap<string, string[]> {
  const entries = new Map<string, string[]>();
  for (const [tool, input] of generated.flatMap(({ solution }) =>
    solution.steps.flatMap(({ calls }) => calls),
  )) {
    const { path, content } = input as { path?: string; content?: string };
    if (tool !== 'append' || path === undefined || content === undefined || !path.endsWith('changelog.md'))
      continue;
    const relative = path.replace(/^vault\//, '');
    entries.set(relative, [...(entries.get(relative) ?? []), content.trim()]);
  }
  return entries;
}

function collectQuestions(
  world: World,
  vault: ReadonlyMap<string, string>,
  random: Random,
): Record<keyof typeof shares | 'fact', Parts[]> {
  const { activeProjects, asleep, own } = world;
  const occursOnce = ({ evidence }: Parts): boolean =>
    evidence.every(({ path, text }) => {
      const lines = (vault.get(path.slice('vault/'.length)) ?? '').split('\n');
      return lines.filter((line) => line === text).length === 1;
    });
  const slots = random.shuffled([...activeProjects, asleep].flatMap((project) => project.slots));
  const known = slots.filter(({ value }) => value !== null);
  const ask = (slot: Fact): Parts => askFact(world, slot, random);
  const changed = known.filter(({ outdated, kind }) => outdated.length > 0 && kind !== 'meeting');
  const steady = known.filter(({ outdated, kind }) => outdated.length === 0 && /figure|contact/.test(kind));
  const tasks = random.shuffled([...activeProjects.flatMap((project) => project.tasks), ...world.tasks]);
  const times = [
    ...known.filter(({ kind }) => kind === 'meeting').map(ask),
    ...tasks.map((task) => askDeadline(world, task, vault, random)).filter((each) => each !== null),
  ];
  const pairs = random.shuffled(known).flatMap((slot, index, all) => {
    const other = all[index + 1];
    return index % 2 === 0 && other !== undefined ? [joined(ask(slot), ask(other))] : [];
  });
  const preferences = [
    ...own.filter(({ value }) => value !== null),
    ...known.filter(({ kind, outdated }) => kind === 'choice' && outdated.length === 0),
  ];
  const text = [...vault.values()].join('\n').toLowerCase();
  const missing = slots.filter(({ value, label }) => value === null && !text.includes(label.toLowerCase()));
  const all = {
    fact: steady.map(ask),
    several: pairs,
    time: random.shuffled(times),
    update: changed.map(ask),
    absent: missing.map((slot) => ({ question: ask(slot).question, evidence: [] })),
    preference: preferences.map(ask),
  };
  return {
    ...all,
    fact: all.fact.filter(occursOnce),
    several: all.several.filter(occursOnce),
    time: all.time.filter(occursOnce),
    update: all.update.filter(occursOnce),
    preference: all.preference.filter(occursOnce),
  };
}

function askFact({ book }: World, slot: Fact, random: Random): Parts {
  const { kind, label, value, outdated, project } = slot;
  const sentence = fillTemplate(random.pick(book.asks[kind === 'own' ? 'figure' : kind]), { label });
  const question = project === null ? sentence : `${project.title}${book.words.colon}${sentence}`;
  if (value === null) return { question, evidence: [] };
  const patterns = outdated.map(({ pattern }) => ({ pattern }));
  return {
    question,
    evidence: [{ path: `vault/${vaultPaths.slot(slot)}`, text: formatFact(slot, book) }],
    // A date may be said in any notation.
    says: value.day === null ? [{ pattern: value.pattern }] : [value.day],
    ...(patterns.length > 0 && { wrong: patterns }),
  };
}

/** Null if another task of the file has the same deadline. */
function askDeadline(
  { book }: World,
  { project, kind, deadline }: Task,
  vault: ReadonlyMap<string, string>,
  random: Random,
): Parts | null {
  const path = vaultPaths.tasks(project);
  const line = `deadline: ${deadline}`;
  const lines = (vault.get(path) ?? '').split('\n').filter((each) => each === line);
  if (lines.length !== 1) return null;
  const title = `# ${capitalize(kind.todo)}`;
  const evidence = [title, line].map((text) => ({ path: `vault/${path}`, text }));
  return {
    question: fillTemplate(random.pick(book.asks.task), { todo: kind.todo }),
    evidence,
    says: [deadline],
  };
}

function joined(one: Parts, other: Parts): Parts {
  const wrong = [...(one.wrong ?? []), ...(other.wrong ?? [])];
  return {
    question: `${one.question} ${other.question}`,
    evidence: [...one.evidence, ...other.evidence],
    says: [...(one.says ?? []), ...(other.says ?? [])],
    ...(wrong.length > 0 && { wrong }),
  };
}
