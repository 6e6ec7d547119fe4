import picomatch from 'picomatch';
import type { Scenario } from './filing-scenarios.ts';
import { bodyOf, comparable } from './note-text.ts';
import { shown, sumUp } from './outcome.ts';
import type { Dimension, Files, Outcome, Start } from './outcome.ts';
import { precisionOf } from './score-precision.ts';
import { questionsOf } from './score-questions.ts';
import { matcherOf, quoted } from './wanted.ts';

const dimensionNames = [
  'settled',
  'rightPlace',
  'presentOnce',
  'nothingLost',
  'noWrongOverwrite',
  'inbox',
  'changelog',
  'held',
  'precision',
  'questions',
] as const;
type DimensionName = (typeof dimensionNames)[number];

export type FilingScore = {
  dimensions: Record<DimensionName, Dimension>;
  /** Everything is as expected. */
  strict: boolean;
  /** The mean of the dimensions in which something was expected. */
  share: number;
  /** The share, where 0 is a vault in which nothing was done, or worse, and 1 is everything. */
  normalised: number;
};

type Expectation = Scenario['expect'];

/**
 * Compares a vault before and after a scenario's inputs were filed. An outdated fact that is still there beside its
 * replacement counts as a fact that is not present once.
 */
export function scoreFiling(scenario: Scenario, start: Start, outcome: Outcome): FilingScore {
  const untouched = { files: start.files, settled: 0, held: false, days: [], answers: [] };
  const none = dimensionsOf(scenario, start, untouched);
  const dimensions = dimensionsOf(scenario, start, outcome);
  // That an input came to an end is worth something of its own only where the vault is right as it was.
  const counted = dimensionNames.filter((name) => name !== 'settled');
  const names = shareOf(none, counted) === 1 ? dimensionNames : counted;
  const [share, least] = [shareOf(dimensions, names), shareOf(none, names)];
  return {
    dimensions,
    strict: dimensionNames.every((name) => dimensions[name].passed === dimensions[name].of),
    share,
    normalised: Math.max(0, (share - least) / (1 - least)),
  };
}

function dimensionsOf(scenario: Scenario, start: Start, outcome: Outcome): FilingScore['dimensions'] {
  const { inputs, expect } = scenario;
  const { files: before } = start;
  const { files: after } = outcome;
  const said = new Map([...after].map(([path, text]) => [path, bodyOf(text)]));
  const refs = inputs.flatMap(({ inboxRef }) => inboxRef ?? []);
  return {
    settled: settledOf(inputs.length, outcome.settled),
    rightPlace: sumUp(expect.facts.map((fact) => placeProblem(fact, said))),
    presentOnce: sumUp([
      ...expect.facts.map((fact) => timesProblem(fact, said)),
      ...expect.gone.map((gone) => goneProblem(gone, said)),
    ]),
    nothingLost: sumUp(expect.kept.map((kept) => keptProblem(kept, said))),
    noWrongOverwrite: sumUp(expect.untouched.map((glob) => touchedProblem(glob, before, after))),
    inbox: sumUp(expect.inbox === undefined ? [] : [inboxProblem(expect.inbox, refs, before, after)]),
    changelog: sumUp(
      expect.changelogEntries === undefined ? [] : [entriesProblem(expect.changelogEntries, before, after)],
    ),
    held: sumUp([heldProblem(expect.held, outcome.held)]),
    precision: precisionOf(scenario, start, outcome),
    questions: questionsOf(expect.questions, outcome.answers),
  };
}

/** The mean of those in which something was expected. */
function shareOf(dimensions: FilingScore['dimensions'], names: readonly DimensionName[]): number {
  const shares = names.flatMap((name) => (dimensions[name].of === 0 ? [] : [dimensions[name]]));
  return shares.reduce((sum, { passed, of }) => sum + passed / of, 0) / shares.length;
}

function settledOf(inputs: number, settled: number): Dimension {
  const problem = `of ${inputs} inputs ${inputs - settled} were not filed, asked about or found to be known`;
  return { passed: settled, of: inputs, problems: settled === inputs ? [] : [problem] };
}

function placeProblem(fact: Expectation['facts'][number], after: Files): string | null {
  const isWanted = matcherOf(fact);
  const holding = [...after].filter(([, text]) => isWanted(text)).map(([path]) => path);
  if (holding.some((path) => picomatch.isMatch(path, fact.in))) return null;
  const where = holding.length === 0 ? 'nowhere' : `in ${holding.map(shown).join(', ')}`;
  return `${quoted(fact)} should be in ${fact.in.map(shown).join(' or ')}, but is ${where}`;
}

function timesProblem(fact: Expectation['facts'][number], after: Files): string | null {
  const isWanted = matcherOf(fact);
  const holding = [...after].filter(([, text]) => isWanted(text));
  if (holding.length === 0) return `${quoted(fact)} is nowhere in the vault`;
  // A log of all that came in holds every fact; it is filed when it stands where things are kept, or where it should.
  if (holding.every(([path]) => isRepeatable(path) && !picomatch.isMatch(path, fact.in)))
    return `${quoted(fact)} is only in ${holding.map(([path]) => shown(path)).join(', ')}`;
  const places = holding.flatMap(([path, text]) =>
    isRepeatable(path) ? [] : placesIn(path, text, isWanted),
  );
  if (places.length <= fact.times) return null;
  return `${quoted(fact)} should be on at most ${fact.times} lines, but is on ${places.length}: ${places.join(', ')}`;
}

function placesIn(path: string, text: string, isWanted: (within: string) => boolean): string[] {
  const lines = text.split('\n');
  const found = lines.flatMap((line, index) => (isWanted(line) ? [`${shown(path)}:${index + 1}`] : []));
  // Wrapped prose can hold it across a line break.
  return found.length === 0 && isWanted(text) ? [shown(path)] : found;
}

function goneProblem(gone: Expectation['gone'][number], after: Files): string | null {
  const isWanted = matcherOf(gone);
  const holding = [...after].find(([path, text]) => picomatch.isMatch(path, gone.in) && isWanted(text));
  return holding === undefined ? null : `${shown(holding[0])} still says ${quoted(gone)}`;
}

function keptProblem({ text, in: path }: Expectation['kept'][number], after: Files): string | null {
  const isKept = (after.get(path) ?? '').split('\n').some((line) => line.includes(text));
  return isKept ? null : `${shown(path)} has lost the line ${quoted({ text })}`;
}

function touchedProblem(glob: string, before: Files, after: Files): string | null {
  const isMeant = picomatch(glob);
  const paths = new Set([...before.keys(), ...after.keys()]);
  const touched = [...paths].flatMap((path) => {
    if (!isMeant(path) || path === 'tree.md') return [];
    const [was, is] = [before.get(path), after.get(path)];
    if (was === undefined) return [`${shown(path)} was added`];
    if (is === undefined) return [`${shown(path)} was removed`];
    return comparable(path, was) === comparable(path, is) ? [] : [`${shown(path)} was changed`];
  });
  return touched.length === 0 ? null : `${shown(glob)} should be untouched, but ${touched.join(', ')}`;
}

function inboxProblem(
  expected: NonNullable<Expectation['inbox']>,
  refs: readonly string[],
  before: Files,
  after: Files,
): string | null {
  const [had, has] = [inboxItems(before), inboxItems(after)];
  const added = [...has].filter((item) => !had.has(item));
  // An answer names its item; an input that names none is about whatever was there.
  const concerned = refs.length > 0 ? refs : [...had];
  const open = concerned.filter((item) => has.has(item));
  const closed = concerned.filter((item) => !has.has(item));
  const unexpected = added.map((item) => `${shown(`inbox/${item}`)} was added without need`)[0] ?? null;
  switch (expected) {
    case 'none':
      return unexpected ?? closed.map((item) => `${shown(`inbox/${item}`)} has disappeared`)[0] ?? null;
    case 'new': {
      const review = added.find((item) => after.has(`inbox/${item}/review.md`));
      if (added.length === 0) return 'no item was added to vault/inbox, although the input is ambiguous';
      return review === undefined ? `${shown(`inbox/${added[0]}`)} has no review.md` : null;
    }
    case 'answered':
      return (
        unexpected ?? open.map((item) => `${shown(`inbox/${item}`)} was answered, but is there`)[0] ?? null
      );
    case 'still-open':
      return (
        unexpected ??
        closed.map((item) => `${shown(`inbox/${item}`)} was not answered, but is gone`)[0] ??
        null
      );
  }
  return expected satisfies never;
}

function entriesProblem(expected: number, before: Files, after: Files): string | null {
  const old = entriesOf(before);
  const added = entriesOf(after).filter((entry) => {
    const index = old.indexOf(entry);
    if (index >= 0) old.splice(index, 1);
    return index < 0;
  });
  return added.length === expected
    ? null
    : `vault/changelog.md should have ${expected} new entries, but has ${added.length}`;
}

function heldProblem(expected: boolean, isHeld: boolean): string | null {
  if (expected === isHeld) return null;
  return isHeld ? 'the update was held, but should not be' : 'the update should be held, but was not';
}

/** Changelogs, buckets and the inbox may repeat what the rest of the vault says once; `tree.md` is generated. */
function isRepeatable(path: string): boolean {
  return picomatch.isMatch(path, ['**/changelog.md', 'inbox/**', '**/bucket/**', 'tree.md']);
}

function inboxItems(files: Files): Set<string> {
  return new Set(
    [...files.keys()].flatMap((path) => (path.startsWith('inbox/') ? (path.split('/')[1] ?? []) : [])),
  );
}

function entriesOf(files: Files): string[] {
  return (files.get('changelog.md') ?? '').split('\n').filter((line) => line.startsWith('## '));
}
