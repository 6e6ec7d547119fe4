import {
  findUncoveredSentences,
  fold,
  reviewUpdate,
  supportChecker,
} from '../../../vault/src/review/index.ts';
import type { ReviewedFile } from '../../../vault/src/review/index.ts';
import type { Scenario } from './filing-scenarios.ts';
import { stripMaintainedText } from './comparable-text.ts';
import { shown, sumUp } from './filing-outcome.ts';
import type { DimensionScore, FilingOutcome, InitialState, VaultFiles } from './filing-outcome.ts';
import { referenceRemover } from './note-references.ts';
import { matcherOf, quoted } from './text-matcher.ts';

/** The share of the sentences that state a fact and are somewhere in the memory afterwards. */
export function scoreComplete(
  { inputs, expect }: Scenario,
  { files: before, documents }: InitialState,
  { files: after }: FilingOutcome,
): DimensionScore {
  if (!expect.complete) return sumUp([]);
  const found = addedText(before, after);
  const known = [...before.values()];
  // Words of others may be held or refused.
  const own = inputs.filter(({ source }) => source === 'person');
  const texts = [...own.map(({ text }) => text), ...(own.length === inputs.length ? documents : [])];
  const missing = texts.flatMap((input) => findUncoveredSentences({ input, found, known }));
  return missing.length === 0
    ? sumUp([null])
    : sumUp(missing.map((sentence) => `nowhere in the memory: ${JSON.stringify(sentence)}`));
}

/** Whether text disappeared that neither an input nor a new entry of a changelog names, and that the user did not want to be forgotten. */
export function scoreGutted(
  { inputs, forget }: Scenario,
  { files: before, documents }: InitialState,
  { files: after, days }: FilingOutcome,
): DimensionScore {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) =>
      path.endsWith('.md') &&
      path !== 'tree.md' &&
      !path.startsWith('inbox/') &&
      before.get(path) !== after.get(path),
  );
  if (paths.every((path) => !before.has(path))) return sumUp([null]);
  const { unnamed, replaced } = reviewUpdate({
    input: [...inputs.map(({ text }) => text), ...documents].join('\n'),
    toCover: '',
    answer: '',
    numbersToCover: '',
    isUserAuthored: true,
    files: paths.map((path) => toReviewed(path, before, after)),
    shown: [],
    shownLater: [],
    attached: documents,
    hasImages: true,
    known: [],
    summary: '',
    keepsChangelog: true,
    hasLooked: true,
    failedCalls: [],
    days,
  });
  const isForgotten = forget.map((text) => matcherOf({ text }));
  const lost = [...unnamed, ...replaced].filter(
    ({ title }) => !isForgotten.some((matches) => matches(title)),
  );
  return lost.length === 0
    ? sumUp([null])
    : sumUp(
        lost.map(
          ({ path, title }) => `${shown(path)} has lost ${JSON.stringify(title)}, which nothing names`,
        ),
      );
}

/**
 * Whether what the user was told is true: something changed if it says so, and its figures, names and dates are in an input or in the
 * memory.
 */
export function scoreReceipts(
  { inputs, language }: Scenario,
  { files: before, documents }: InitialState,
  { files: after, receipts, days }: FilingOutcome,
): DimensionScore {
  if (receipts.length === 0) return sumUp([]);
  const changed = new Set(
    [...new Set([...before.keys(), ...after.keys()])].filter(
      (path) =>
        path !== 'tree.md' &&
        stripMaintainedText(path, before.get(path) ?? '') !==
          stripMaintainedText(path, after.get(path) ?? ''),
    ),
  );
  const isFiled = receipts.some(({ outcome }) => outcome === 'filed');
  const unsupported = supportChecker(
    {
      texts: [
        ...[before, after].flatMap((files) => [...files].flat()),
        ...documents,
        ...inputs.flatMap(({ text, files }) => [text, ...files]),
        // Counts of files and entries.
        ...receipts.map((_, index) => String(index + 1)),
      ],
      days,
    },
    language,
  );
  const withoutReferences = referenceRemover(before, after);
  return sumUp([
    inputs.length === 1 ? describeUnchanged(receipts, changed) : null,
    isFiled && changed.size === 0
      ? 'the receipt says that the input was filed, but nothing has changed'
      : null,
    ...receipts.map(({ text }) => {
      const strange = withoutReferences(text).split('\n').flatMap(unsupported);
      return strange.length === 0
        ? null
        : `the receipt says ${strange.map((each) => JSON.stringify(each)).join(', ')}, which is neither in an input nor in the memory`;
    }),
  ]);
}

function describeUnchanged(receipts: FilingOutcome['receipts'], changed: ReadonlySet<string>): string | null {
  const named = receipts.flatMap(({ paths = [] }) => paths.map((path) => path.replace(/^vault\//, '')));
  const wrong = named.find((path) => path.endsWith('.md') && !changed.has(path));
  return wrong === undefined ? null : `the receipt says that ${shown(wrong)} changed, but it did not`;
}

/** Whether the words that the user wanted to be forgotten are nowhere, and everything else is still there. */
export function scoreForgotten({ forget }: Scenario, { files }: FilingOutcome): DimensionScore {
  return sumUp(forget.map((words) => describeHolder(files, matcherOf({ text: words }), `forget ${words}`)));
}

/** Whether the secrets in the inputs were stored nowhere. */
export function scoreSecrets({ expect }: Scenario, { files }: FilingOutcome): DimensionScore {
  return sumUp(
    expect.secrets.map((text) => describeHolder(files, (within) => within.includes(text), quoted({ text }))),
  );
}

function describeHolder(files: VaultFiles, isHeld: (text: string) => boolean, what: string): string | null {
  const holder = [...files].find(([path, text]) => isHeld(`${path}\n${text}`));
  return holder === undefined ? null : `${shown(holder[0])} still contains it: ${what}`;
}

function toReviewed(path: string, before: VaultFiles, after: VaultFiles): ReviewedFile {
  const [, name = ''] = /(?:^|\/)(changelog|tasks|profile)\.md$/.exec(path) ?? [];
  const kind = name === '' ? 'note' : (name as 'changelog' | 'tasks' | 'profile');
  return { path, kind, before: before.get(path) ?? null, after: after.get(path) ?? null };
}

/** The lines that are new, without the inbox, where an input waits until it is filed. */
function addedText(before: VaultFiles, after: VaultFiles): string {
  const old = new Set([...before.values()].flatMap((text) => text.split('\n')).map(fold));
  return [...after]
    .filter(([path]) => path !== 'tree.md' && !path.startsWith('inbox/'))
    .flatMap(([, text]) => text.split('\n').filter((line) => !old.has(fold(line))))
    .join('\n');
}
