import picomatch from 'picomatch';
import type { Scenario } from './filing-scenarios.ts';
import { maskFrontmatter, stripMaintainedText } from './comparable-text.ts';
import { shown, sumUp } from './filing-outcome.ts';
import type { DimensionScore, VaultFiles, FilingOutcome, InitialState } from './filing-outcome.ts';
import { onlyQuestions, withoutLayout } from './layout-free.ts';
import { scoreComplete, scoreForgotten, scoreGutted, scoreReceipts, scoreSecrets } from './score-conduct.ts';
import { scorePrecision } from './score-precision.ts';
import { scoreQuestions } from './score-questions.ts';
import { createFactMatchers, matcherOf, quoted } from './text-matcher.ts';

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
  'complete',
  'gutted',
  'receipt',
  'forgotten',
  'secrets',
] as const;
type DimensionName = (typeof dimensionNames)[number];

export type FilingScore = {
  dimensions: Record<DimensionName, DimensionScore>;
  /** Whether everything is as expected. */
  strict: boolean;
  /** The mean of the dimensions with expectations. */
  share: number;
  /** The share, scaled so that a result no better than doing nothing is 0 and a perfect result is 1. */
  normalised: number;
};

type Expectation = Scenario['expect'];

/** What can be read of a memory: files with places, texts without places, or only answers. */
export type MemoryContent = 'files' | 'texts' | 'answers';

const expectationsFor: Record<MemoryContent, (scenario: Scenario) => Scenario> = {
  files: (scenario) => scenario,
  texts: withoutLayout,
  answers: onlyQuestions,
};

/**
 * Compares a vault before and after a scenario's inputs were filed. An outdated fact that remains next to its replacement counts as a
 * duplicate.
 */
export function scoreFiling(
  fullScenario: Scenario,
  start: InitialState,
  outcome: FilingOutcome,
  content: MemoryContent = 'files',
): FilingScore {
  const scenario = expectationsFor[content](fullScenario);
  const isReadable = content !== 'answers';
  const untouched = { files: start.files, settled: 0, held: false, days: [], answers: [], receipts: [] };
  const none = scoreDimensions(scenario, start, untouched, isReadable);
  const dimensions = scoreDimensions(scenario, start, outcome, isReadable);
  // `settled` counts only if the initial vault already meets all other expectations. Doing nothing gives no receipt.
  const counted = dimensionNames.filter((name) => name !== 'settled' && name !== 'receipt');
  const names = shareOf(none, counted) === 1 ? dimensionNames : counted;
  const [share, baseline] = [shareOf(dimensions, names), shareOf(none, names)];
  return {
    dimensions,
    strict: dimensionNames.every((name) => dimensions[name].passed === dimensions[name].of),
    share,
    normalised: Math.max(0, (share - baseline) / (1 - baseline)),
  };
}

function scoreDimensions(
  scenario: Scenario,
  start: InitialState,
  outcome: FilingOutcome,
  isReadable: boolean,
): FilingScore['dimensions'] {
  const { inputs, expect } = scenario;
  const { files: before } = start;
  const { files: after } = outcome;
  const bodies = new Map([...after].map(([path, text]) => [path, maskFrontmatter(text)]));
  const matcherOfFact = createFactMatchers(scenario.language, outcome.days[0] ?? inputs[0]?.at);
  const factMatchers = expect.facts.map(matcherOfFact);
  const refs = inputs.flatMap(({ inboxRef }) => inboxRef ?? []);
  return {
    settled: scoreFinished(inputs.length, outcome.settled),
    rightPlace: sumUp(expect.facts.map((fact) => checkFact(fact, matcherOfFact(fact), bodies))),
    presentOnce: sumUp([
      ...expect.facts.map((fact) => checkCount(fact, matcherOfFact(fact), bodies)),
      ...expect.gone.map((gone) => checkRemoved(gone, bodies, factMatchers)),
    ]),
    nothingLost: sumUp(expect.kept.map((kept) => checkKept(kept, bodies))),
    noWrongOverwrite: sumUp(expect.untouched.map((glob) => checkUntouched(glob, before, after))),
    inbox: sumUp(expect.inbox === undefined ? [] : [checkInbox(expect.inbox, refs, before, after)]),
    changelog: sumUp(
      expect.changelogEntries === undefined ? [] : [checkEntries(expect.changelogEntries, before, after)],
    ),
    held: sumUp([checkHeld(expect.held, outcome.held)]),
    precision: isReadable ? scorePrecision(scenario, start, outcome) : sumUp([]),
    questions: scoreQuestions(expect.questions, outcome.answers, matcherOfFact),
    complete: scoreComplete(scenario, start, outcome),
    gutted: isReadable ? scoreGutted(scenario, start, outcome) : sumUp([]),
    receipt: isReadable ? scoreReceipts(scenario, start, outcome) : sumUp([]),
    forgotten: scoreForgotten(scenario, outcome),
    secrets: scoreSecrets(scenario, outcome),
  };
}

/** The mean of the dimensions with expectations. */
function shareOf(dimensions: FilingScore['dimensions'], names: readonly DimensionName[]): number {
  const shares = names.flatMap((name) => (dimensions[name].of === 0 ? [] : [dimensions[name]]));
  return shares.reduce((sum, { passed, of }) => sum + passed / of, 0) / shares.length;
}

function scoreFinished(inputs: number, settled: number): DimensionScore {
  const problem = `${inputs - settled} of ${inputs} inputs were not filed, asked about or recognized as known`;
  return { passed: settled, of: inputs, problems: settled === inputs ? [] : [problem] };
}

type IsIn = (text: string) => boolean;

function checkFact(fact: Expectation['facts'][number], isWanted: IsIn, after: VaultFiles): string | null {
  const holding = [...after].filter(([, text]) => isWanted(text)).map(([path]) => path);
  if (holding.some((path) => picomatch.isMatch(path, fact.in))) return null;
  const where = holding.length === 0 ? 'nowhere' : `in ${holding.map(shown).join(', ')}`;
  return `${quoted(fact)} should be in ${fact.in.map(shown).join(' or ')}, but is ${where}`;
}

function checkCount(fact: Expectation['facts'][number], isWanted: IsIn, after: VaultFiles): string | null {
  const holding = [...after].filter(([, text]) => isWanted(text));
  if (holding.length === 0) return `${quoted(fact)} is nowhere in the vault`;
  // A fact that is only in a changelog, a bucket or the inbox has not been filed, unless it belongs there.
  if (holding.every(([path]) => isRepeatable(path) && !picomatch.isMatch(path, fact.in)))
    return `${quoted(fact)} is only in ${holding.map(([path]) => shown(path)).join(', ')}`;
  const places = holding.flatMap(([path, text]) =>
    isRepeatable(path) ? [] : placesIn(path, text, isWanted),
  );
  if (places.length <= fact.times) return null;
  return `${quoted(fact)} should be on at most ${fact.times} lines, but is on ${places.length}: ${places.join(', ')}`;
}

function placesIn(path: string, text: string, isWanted: IsIn): string[] {
  const lines = text.split('\n');
  const found = lines.flatMap((line, index) => (isWanted(line) ? [`${shown(path)}:${index + 1}`] : []));
  // In wrapped prose, the text may span a line break.
  return found.length === 0 && isWanted(text) ? [shown(path)] : found;
}

function checkRemoved(
  gone: Expectation['gone'][number],
  after: VaultFiles,
  replacing: readonly IsIn[],
): string | null {
  const isWanted = matcherOf(gone);
  if (gone.in === '**') {
    const isOutdated = (line: string): boolean =>
      isWanted(line) && !replacing.some((matches) => matches(line));
    const stale = [...after].find(([path, text]) => !isRepeatable(path) && text.split('\n').some(isOutdated));
    return stale === undefined ? null : `${shown(stale[0])} still says ${quoted(gone)}`;
  }
  const holding = [...after].find(([path, text]) => picomatch.isMatch(path, gone.in) && isWanted(text));
  return holding === undefined ? null : `${shown(holding[0])} still says ${quoted(gone)}`;
}

function checkKept({ text, in: path }: Expectation['kept'][number], after: VaultFiles): string | null {
  const within = path === '**' ? [...after.values()] : [after.get(path) ?? ''];
  const isKept = within.some((whole) => whole.split('\n').some((line) => line.includes(text)));
  return isKept ? null : `${shown(path)} has lost the line ${quoted({ text })}`;
}

function checkUntouched(glob: string, before: VaultFiles, after: VaultFiles): string | null {
  const isMeant = picomatch(glob);
  const paths = new Set([...before.keys(), ...after.keys()]);
  const touched = [...paths].flatMap((path) => {
    if (!isMeant(path) || path === 'tree.md') return [];
    const [was, is] = [before.get(path), after.get(path)];
    if (was === undefined) return [`${shown(path)} was added`];
    if (is === undefined) return [`${shown(path)} was removed`];
    return stripMaintainedText(path, was) === stripMaintainedText(path, is)
      ? []
      : [`${shown(path)} was changed`];
  });
  return touched.length === 0 ? null : `${shown(glob)} should be untouched, but ${touched.join(', ')}`;
}

function checkInbox(
  expected: NonNullable<Expectation['inbox']>,
  refs: readonly string[],
  before: VaultFiles,
  after: VaultFiles,
): string | null {
  const [had, has] = [inboxItems(before), inboxItems(after)];
  const added = [...has].filter((item) => !had.has(item));
  // An input that answers a question names its inbox item; any other input may concern any existing item.
  const concerned = refs.length > 0 ? refs : [...had];
  const open = concerned.filter((item) => has.has(item));
  const closed = concerned.filter((item) => !has.has(item));
  const unexpected = added.map((item) => `${shown(`inbox/${item}`)} was added unnecessarily`)[0] ?? null;
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
        unexpected ??
        open.map((item) => `${shown(`inbox/${item}`)} was answered, but still exists`)[0] ??
        null
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

function checkEntries(expected: number, before: VaultFiles, after: VaultFiles): string | null {
  const old = entriesOf(before);
  const added = entriesOf(after).filter((entry) => {
    const index = old.indexOf(entry);
    if (index >= 0) old.splice(index, 1);
    return index < 0;
  });
  // Tasks contain the day on which they were added, so the instructions of the agents ask for no entry about them.
  return added.length === expected || (added.length < expected && onlyAddsTasks(before, after))
    ? null
    : `new entries in vault/changelog.md: expected ${expected}, found ${added.length}`;
}

/** Whether the only change outside of changelogs and the inbox is that tasks were added. */
function onlyAddsTasks(before: VaultFiles, after: VaultFiles): boolean {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) =>
      !picomatch.isMatch(path, ['**/changelog.md', 'inbox/**', 'tree.md']) &&
      bodyOf(path, before) !== bodyOf(path, after),
  );
  return changed.length > 0 && changed.every((path) => isTaskList(path) && keepsLines(path, before, after));
}

function isTaskList(path: string): boolean {
  return path === 'tasks.md' || path.endsWith('/tasks.md');
}

function keepsLines(path: string, before: VaultFiles, after: VaultFiles): boolean {
  const left = bodyOf(path, after).split('\n');
  return bodyOf(path, before)
    .split('\n')
    .filter((line) => line !== '')
    .every((line) => {
      const index = left.indexOf(line);
      left.splice(0, index + 1);
      return index >= 0;
    });
}

function bodyOf(path: string, files: VaultFiles): string {
  return stripMaintainedText(path, files.get(path) ?? '').trim();
}

function checkHeld(expected: boolean, isHeld: boolean): string | null {
  if (expected === isHeld) return null;
  return isHeld ? 'the update was held, but should not be' : 'the update should be held, but was not';
}

/** Changelogs, buckets and the inbox may repeat facts that the rest of the vault states once; `tree.md` is generated. */
function isRepeatable(path: string): boolean {
  return picomatch.isMatch(path, ['**/changelog.md', 'inbox/**', '**/bucket/**', 'tree.md']);
}

function inboxItems(files: VaultFiles): Set<string> {
  return new Set(
    [...files.keys()].flatMap((path) => (path.startsWith('inbox/') ? (path.split('/')[1] ?? []) : [])),
  );
}

function entriesOf(files: VaultFiles): string[] {
  return (files.get('changelog.md') ?? '').split('\n').filter((line) => line.startsWith('## '));
}
