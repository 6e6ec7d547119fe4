import { formatReason } from '../../contract/index.ts';
import type { Reason } from '../../contract/index.ts';
import { contentAfter, contentBefore } from '../../changes/index.ts';
import type { FileChange, WritePolicy } from '../../changes/index.ts';
import { createWritePolicy } from '../../tools/index.ts';
import {
  childPath,
  isProfileFile,
  isToolMemory,
  fileKindOf,
  baseName,
  originalName,
  extractUserText,
  reviewName,
  rootFileText,
  formatPath,
} from '../../vault/index.ts';
import type { Language, Layout, Revision, VaultPath } from '../../vault/index.ts';

const languages: Language[] = ['en', 'fr'];

type UpdatePolicyOptions = {
  received: ReadonlyMap<Revision, string>;
  /** Whether the whole text of the update comes from the user. */
  isUserAuthored: boolean;
  /** The whole text of the update. */
  statedText: string;
  /** The folder of the inbox item that the update answers. */
  answered: VaultPath | null;
  isExcluded: (path: VaultPath) => boolean;
  /** Why the review before the commit wants the user's approval. */
  reviewReason: () => Reason | null;
  /** Removes secrets from a reason, which is stored and shown. */
  hideInReason: (reason: Reason) => Reason;
};

/** What the update agent may do with files, and what needs the user's approval. */
export function createUpdatePolicy({
  received,
  isUserAuthored,
  statedText,
  answered,
  isExcluded,
  reviewReason,
  hideInReason,
}: UpdatePolicyOptions): WritePolicy {
  // An answer may remove the question of its inbox item and the text that the question is about.
  const spent = answered === null ? [] : [reviewName, originalName].map((name) => childPath(answered, name));
  const agent = {
    name: 'update agent',
    mayRemoveOwnText: false,
    isDisposable: (path: VaultPath) => spent.includes(path),
  };
  const base = denyExcluded(
    denyToolMemory(
      restrictDocuments(
        createWritePolicy(agent, {
          attachments: received,
          isMentionedByUser: (what) => isUserAuthored && statedText.includes(what),
        }),
      ),
    ),
    isExcluded,
  );
  return {
    ...base,
    holdReason(changes, taking, layout) {
      const reason =
        base.holdReason(changes, taking, layout) ??
        (isUserAuthored ? null : findPersonalFileChange(changes, taking.relinked, layout)) ??
        reviewReason();
      return reason === null ? null : hideInReason(reason);
    },
  };
}

/** Allows documents (files that are neither markdown nor images) only in buckets and inbox items. */
function restrictDocuments(policy: WritePolicy): WritePolicy {
  return {
    ...policy,
    writeProblem: (path, after, isNew, from, layout) =>
      after !== null && fileKindOf(baseName(path)) === 'other' && !layout.allowsDocument(path)
        ? 'documents can only be stored in a bucket'
        : policy.writeProblem(path, after, isNew, from, layout),
  };
}

/** Denies changes to the memory of an AI tool, which obeys what is in it. */
function denyToolMemory(policy: WritePolicy): WritePolicy {
  return {
    ...policy,
    writeProblem: (path, ...change) =>
      isToolMemory(path)
        ? 'it belongs to the memory of an AI tool, which alone writes it; put the information into a note of the project'
        : policy.writeProblem(path, ...change),
  };
}

/** Denies writes to files hidden from AI. */
export function denyExcluded(policy: WritePolicy, isExcluded: (path: VaultPath) => boolean): WritePolicy {
  return {
    ...policy,
    writeProblem: (path, ...change) =>
      isExcluded(path) ? 'it is hidden from AI (agents.exclude)' : policy.writeProblem(path, ...change),
  };
}

/**
 * The profile and the overview describe the user, so only the user's own statements change them without approval. A
 * rewritten link counts as a change, because the new name of its target may contain any words.
 */
function findPersonalFileChange(
  changes: readonly FileChange[],
  relinked: readonly VaultPath[],
  { isOverview }: Layout,
): Reason | null {
  const isPersonal = (path: VaultPath): boolean => isProfileFile(path) || isOverview(path);
  const path =
    changes.find((each) => isPersonal(each.path) && changesPersonalText(each, isOverview(each.path)))?.path ??
    relinked.find(isPersonal);
  return path === undefined ? null : formatReason('word-of-others', { path: formatPath(path) });
}

function changesPersonalText(change: FileChange, isOverview: boolean): boolean {
  const [before, after] = [contentBefore(change), contentAfter(change)];
  const words = (text: string): string => extractUserText(text, isOverview);
  const [had, has] = [words(before?.toString() ?? ''), words(after?.toString() ?? '')];
  // A vault without an overview gets an empty one with its first update.
  const isEmptyOne =
    before === null && languages.some((language) => words(rootFileText('overview.md', language)) === has);
  return had !== has && !isEmptyOne;
}
