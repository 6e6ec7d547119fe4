import picomatch from 'picomatch';
import type { Scenario } from './filing-scenarios.ts';

/** How much of what was expected is so, and a sentence for each thing that is not. */
type Dimension = { passed: number; of: number; problems: string[] };

const dimensions = [
  'rightPlace',
  'presentOnce',
  'nothingLost',
  'noWrongOverwrite',
  'inbox',
  'changelog',
  'held',
] as const;

/** `share` is the mean of the dimensions in which something was expected. */
export type FilingScore = Record<(typeof dimensions)[number], Dimension> & { share: number };

type Files = ReadonlyMap<string, string>;
type Expectation = Scenario['expect'];
type Wanted = { text?: string | undefined; pattern?: string | undefined };

/**
 * Compares a vault before and after a scenario's inputs were filed. Keys are paths within the vault
 * (`projects/x/state.md`), values whole texts. An outdated fact that is still there beside its
 * replacement counts as a fact that is not present once.
 */
export function scoreFiling(
  { inputs, expect }: Scenario,
  before: Files,
  after: Files,
  outcome: { held: boolean },
): FilingScore {
  const refs = inputs.flatMap(({ inboxRef }) => inboxRef ?? []);
  const score = {
    rightPlace: sumUp(expect.facts.map((fact) => placeProblem(fact, after))),
    presentOnce: sumUp([
      ...expect.facts.map((fact) => timesProblem(fact, after)),
      ...expect.gone.map((gone) => goneProblem(gone, after)),
    ]),
    nothingLost: sumUp(expect.kept.map((kept) => keptProblem(kept, after))),
    noWrongOverwrite: sumUp(expect.untouched.map((glob) => touchedProblem(glob, before, after))),
    inbox: sumUp(expect.inbox === undefined ? [] : [inboxProblem(expect.inbox, refs, before, after)]),
    changelog: sumUp(
      expect.changelogEntries === undefined ? [] : [entriesProblem(expect.changelogEntries, before, after)],
    ),
    held: sumUp([heldProblem(expect.held, outcome.held)]),
  };
  const shares = dimensions.flatMap((name) => (score[name].of === 0 ? [] : [score[name]]));
  return { ...score, share: shares.reduce((sum, { passed, of }) => sum + passed / of, 0) / shares.length };
}

function sumUp(results: readonly (string | null)[]): Dimension {
  const problems = results.filter((problem) => problem !== null);
  return { passed: results.length - problems.length, of: results.length, problems };
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
  if (![...after.values()].some(isWanted)) return `${quoted(fact)} is nowhere in the vault`;
  const places = [...after].flatMap(([path, text]) =>
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
  const isKept = (after.get(path) ?? '').split('\n').some((line) => line.trim() === text);
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

/** What code maintains is not a change of the agent's: stamps, and the status in the overview. */
function comparable(path: string, text: string): string {
  const frontmatter = /^\ufeff?---[ \t]*\r?\n((?:.*\n)*?)---[ \t]*(?:\r?\n|$)/.exec(text);
  const body = text.slice(frontmatter?.[0].length ?? 0);
  const fields = (frontmatter?.[1] ?? '').replaceAll(/^(?:created|updated|tokens):.*\n/gm, '');
  const rest = path === 'overview.md' ? body.replace(statusBlock, '\n\n') : body;
  return fields === '' ? rest : `---\n${fields}---\n${rest}`;
}

const statusBlock = /\n*<!-- keepsake:status -->[\s\S]*?<!-- \/keepsake:status -->\n*/;

function matcherOf({ text, pattern }: Wanted): (within: string) => boolean {
  if (pattern !== undefined) {
    const regex = new RegExp(pattern, 'iu');
    return (within) => regex.test(collapsed(within));
  }
  const folded = fold(text ?? '');
  return (within) => fold(within).includes(folded);
}

function fold(text: string): string {
  return collapsed(text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase());
}

function collapsed(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}

function quoted({ text, pattern }: Wanted): string {
  return text === undefined ? `/${pattern}/` : JSON.stringify(text);
}

function shown(path: string): string {
  return `vault/${path}`;
}
