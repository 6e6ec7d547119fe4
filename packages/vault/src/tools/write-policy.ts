import { contentAfter, contentBefore } from '../changes/index.ts';
import type { Connection, FileChange, WritePolicy } from '../changes/index.ts';
import { formatReason } from '../contract/index.ts';
import type { Reason } from '../contract/index.ts';
import {
  extensionOf,
  escapeInvisible,
  isInstructionFile,
  isToolMemory,
  isTreeFile,
  fileKindOf,
  findRemoteResources,
  baseName,
  portableProblem,
  computeRevision,
  formatPath,
  splitLines,
} from '../vault/index.ts';
import type { Layout, Revision, VaultPath } from '../vault/index.ts';

/**
 * Limits for removals without approval: deleted files, and characters of text that no longer exist anywhere in the
 * vault.
 */
const removalLimits = { files: 10, characters: 4_000, filesAnHour: 20, charactersAnHour: 10_000 };
const longFileLines = 100;

/**
 * The connection of a client. Its name is derived from the credential or the local connection, because clients choose
 * their own names.
 */
export function createClientConnection(name: string): Connection {
  return { name, mayRemoveOwnText: true };
}

/** The write policy of a client, by the name of its connection. */
export function createClientPolicy(connection: string): WritePolicy {
  return createWritePolicy(createClientConnection(connection));
}

type WritePolicyOptions = {
  /** Revisions of the files attached to the update, with their extensions. */
  attachments?: ReadonlyMap<Revision, string>;
  /** Whether the user has mentioned this file name or URL. */
  isMentionedByUser?: (what: string) => boolean;
};

/** Creates the write policy for the tools of a connection; `connection` is null for the user. */
export function createWritePolicy(
  connection: Connection | null,
  { attachments = new Map(), isMentionedByUser = () => false }: WritePolicyOptions = {},
): WritePolicy {
  return {
    connection,
    holdReason: (changes, removal, layout) =>
      connection === null
        ? largeRemovalReason(changes, removal, layout, false)
        : (largeRemovalReason(changes, removal, layout, true) ??
          removalBudgetReason(removal) ??
          injectionReason(changes, removal.relinked, isMentionedByUser)),
    writeProblem(path, after, isNew, from, layout) {
      if (isTreeFile(path)) return 'tree.md is generated and cannot be written';
      if (after === null)
        return layout.isBuiltIn(path) ? 'it is required by every vault and cannot be deleted or moved' : null;
      const ending = extensionOf(baseName(path));
      const keepsExtension = from !== undefined && extensionOf(baseName(from)) === ending;
      if (
        fileKindOf(baseName(path)) !== 'markdown' &&
        !keepsExtension &&
        attachments.get(computeRevision(after)) !== ending
      )
        return 'only markdown files can be written; use a name ending in .md';
      return isNew ? portableProblem(path) : null;
    },
  };
}

type RemovalContext = Parameters<WritePolicy['holdReason']>[1];

/** Holds the deletion of many files or of most of a long file. The user may delete a long file without confirmation. */
function largeRemovalReason(
  changes: readonly FileChange[],
  { removed }: RemovalContext,
  { isTaskList, isInInbox }: Layout,
  isDeletingOne: boolean,
): Reason | null {
  const removedFiles = removed.filter(({ isMostlyRemoved }) => isMostlyRemoved).length;
  if (removedFiles > removalLimits.files) return formatReason('deletes-files', { count: removedFiles });
  const byPath = new Map(changes.map((each) => [each.path, each]));
  const mostlyRemoved = removed.find((each) => {
    const change = byPath.get(each.path);
    if (change === undefined || isInInbox(each.path) || isTaskList(each.path)) return false;
    if (change.kind === 'create' || (change.kind === 'remove' && !isDeletingOne)) return false;
    return (
      each.removedCharacters > each.totalCharacters / 2 &&
      splitLines(change.before.toString()).length > longFileLines
    );
  });
  return mostlyRemoved === undefined
    ? null
    : formatReason('removes-half', { path: formatPath(mostlyRemoved.path) });
}

/** Holds the removal of a large amount of text, at once or over an hour. */
function removalBudgetReason({ removed, recent }: RemovalContext): Reason | null {
  const characters = removed.reduce((sum, each) => sum + each.removedCharacters, 0);
  const files = removed.filter(({ isMostlyRemoved }) => isMostlyRemoved).length;
  if (characters > removalLimits.characters) return formatReason('removes-text', { count: characters });
  if (files > 0 && recent.files + files > removalLimits.filesAnHour)
    return formatReason('files-an-hour', { count: recent.files + files });
  const all = recent.characters + characters;
  return characters > 0 && all > removalLimits.charactersAnHour
    ? formatReason('text-an-hour', { count: all })
    : null;
}

/**
 * Detects injected content: instruction files and memories of other AI tools, and remote resources that an editor loads when it renders a
 * note.
 */
function injectionReason(
  changes: readonly FileChange[],
  relinked: readonly VaultPath[],
  isMentionedByUser: (what: string) => boolean,
): Reason | null {
  const instructions = [...changes.map(({ path }) => path), ...relinked].find(
    (path) => isToolMemory(path) || (isInstructionFile(path) && !isMentionedByUser(baseName(path))),
  );
  if (instructions !== undefined) return formatReason('instructions', { path: formatPath(instructions) });
  const loaded = (bytes: Buffer | null): string[] =>
    bytes === null ? [] : findRemoteResources(bytes.toString());
  const existing = new Set(changes.flatMap((each) => loaded(contentBefore(each))));
  for (const change of changes) {
    if (fileKindOf(baseName(change.path)) !== 'markdown') continue;
    const address = loaded(contentAfter(change)).find(
      (each) => !existing.has(each) && !isMentionedByUser(each),
    );
    if (address !== undefined)
      return formatReason('loads-from-elsewhere', {
        path: formatPath(change.path),
        address: truncateUrl(address),
      });
  }
  return null;
}

function truncateUrl(address: string): string {
  const line = escapeInvisible(address.replaceAll(/\s+/g, ' '));
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
