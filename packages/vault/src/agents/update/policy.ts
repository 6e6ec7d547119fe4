import { reasonFor } from '../../contract/index.ts';
import type { Reason } from '../../contract/index.ts';
import { afterOf, beforeOf } from '../../changes/index.ts';
import type { FileChange, Policy } from '../../changes/index.ts';
import { writePolicy } from '../../tools/index.ts';
import {
  childPath,
  isProfile,
  kindOf,
  nameOf,
  originalName,
  ownWords,
  reviewName,
  rootFileText,
  showPath,
} from '../../vault/index.ts';
import type { Language, Layout, Revision, VaultPath } from '../../vault/index.ts';

const languages: Language[] = ['en', 'fr'];

type Rules = {
  received: ReadonlyMap<Revision, string>;
  /** Whether the update carries the person's own words, and nobody else's. */
  isPersons: boolean;
  /** All that it says. */
  said: string;
  /** The folder of the inbox item that it answers. */
  answered: VaultPath | null;
  isExcluded: (path: VaultPath) => boolean;
};

/** What the update agent may do with the files, and what a person must agree to first. */
export function updatePolicy({ received, isPersons, said, answered, isExcluded }: Rules): Policy {
  // The question and the words that it is about go with the answer.
  const spent = answered === null ? [] : [reviewName, originalName].map((name) => childPath(answered, name));
  const agent = {
    name: 'update agent',
    mayTakeBack: false,
    isSpent: (path: VaultPath) => spent.includes(path),
  };
  const base = withoutExcluded(
    keepingDocuments(writePolicy(agent, { received, isSaid: (what) => isPersons && said.includes(what) })),
    isExcluded,
  );
  return {
    ...base,
    mustHold: (changes, taking, layout) =>
      base.mustHold(changes, taking, layout) ?? (isPersons ? null : personalChange(changes, layout)),
  };
}

/** The same, but what is neither markdown nor an image lies in buckets, and with a question about it. */
function keepingDocuments(policy: Policy): Policy {
  return {
    ...policy,
    mayWrite: (path, after, isNew, from, layout) =>
      after !== null && kindOf(nameOf(path)) === 'other' && !layout.mayHoldDocument(path)
        ? 'documents are kept in a bucket'
        : policy.mayWrite(path, after, isNew, from, layout),
  };
}

/** The same, but for files that are kept from models: these cannot be touched. */
export function withoutExcluded(policy: Policy, isExcluded: (path: VaultPath) => boolean): Policy {
  return {
    ...policy,
    mayWrite: (path, ...change) =>
      isExcluded(path) ? 'it is kept from models (agents.exclude)' : policy.mayWrite(path, ...change),
  };
}

function personalChange(changes: readonly FileChange[], { isOverview }: Layout): Reason | null {
  // Files that speak for the person: only the person's own words change them without being asked.
  const change = changes.find(
    (each) => (isProfile(each.path) || isOverview(each.path)) && isPersonal(each, isOverview(each.path)),
  );
  if (change === undefined) return null;
  return reasonFor('word-of-others', { path: showPath(change.path) });
}

function isPersonal(change: FileChange, isOverview: boolean): boolean {
  const [before, after] = [beforeOf(change), afterOf(change)];
  const words = (text: string): string => ownWords(text, isOverview);
  const [had, has] = [words(before?.toString() ?? ''), words(after?.toString() ?? '')];
  // A vault that had no overview gets an empty one with its first update.
  const isEmptyOne =
    before === null && languages.some((language) => words(rootFileText('overview.md', language)) === has);
  return had !== has && !isEmptyOne;
}
