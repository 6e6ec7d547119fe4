import { afterOf, beforeOf } from '../changes/index.ts';
import type { Connection, FileChange, Policy } from '../changes/index.ts';
import { loadedAddresses, reasonFor } from '../contract/index.ts';
import type { Reason } from '../contract/index.ts';
import {
  endingOf,
  escapeInvisible,
  isInInbox,
  isInstructions,
  isTree,
  kindOf,
  nameOf,
  portableProblem,
  revisionOf,
  showPath,
  splitLines,
} from '../vault/index.ts';
import type { Layout, Revision, VaultPath } from '../vault/index.ts';

/** What may be taken away without a person being asked: files, and characters of text that is then nowhere in the vault. */
const most = { files: 10, characters: 4_000, filesAnHour: 20, charactersAnHour: 10_000 };
const longFile = 100;

/** Every client over MCP: names are what clients call themselves. */
export const mcpConnection: Connection = { name: 'mcp', mayTakeBack: true };

export function tokenConnection(id: string): Connection {
  return { name: `token ${id}`, mayTakeBack: true };
}

type WriteRules = {
  /** Contents that came with the same update, and their endings. */
  received?: ReadonlyMap<Revision, string>;
  /** Whether the person has named what would speak or act for somebody else. */
  isSaid?: (what: string) => boolean;
};

/** What may be written by a tool, whoever calls it: a connection, or the person. */
export function writePolicy(
  connection: Connection | null,
  { received = new Map(), isSaid = () => false }: WriteRules = {},
): Policy {
  return {
    connection,
    mustHold: (changes, taking, layout) =>
      connection === null
        ? largeRemoval(changes, taking, layout, false)
        : (largeRemoval(changes, taking, layout, true) ??
          overBudget(taking) ??
          plantedIn(changes, taking.relinked, isSaid)),
    mayWrite(path, after, isNew, from, layout) {
      if (isTree(path)) return 'tree.md is generated and not for writing';
      if (after === null)
        return layout.isFixed(path) ? 'it belongs to every vault and cannot be deleted or moved' : null;
      const ending = endingOf(nameOf(path));
      const isKept = from !== undefined && endingOf(nameOf(from)) === ending;
      if (kindOf(nameOf(path)) !== 'markdown' && !isKept && received.get(revisionOf(after)) !== ending)
        return 'only markdown can be written; give the name the ending .md';
      return isNew ? portableProblem(path) : null;
    },
  };
}

type Taking = Parameters<Policy['mustHold']>[1];

/** Many files deleted, or most of a long one gone. The person may delete a long file without being asked again. */
function largeRemoval(
  changes: readonly FileChange[],
  { removed }: Taking,
  { isTaskList }: Layout,
  isDeletingOne: boolean,
): Reason | null {
  const lost = removed.filter(({ isLost }) => isLost).length;
  if (lost > most.files) return reasonFor('deletes-files', { count: lost });
  const byPath = new Map(changes.map((each) => [each.path, each]));
  const gutted = removed.find((each) => {
    const change = byPath.get(each.path);
    if (change === undefined || isInInbox(each.path) || isTaskList(each.path)) return false;
    if (change.kind === 'create' || (change.kind === 'remove' && !isDeletingOne)) return false;
    return each.removed > each.had / 2 && splitLines(change.before.toString()).length > longFile;
  });
  return gutted === undefined ? null : reasonFor('removes-half', { path: showPath(gutted.path) });
}

/** Much text in many places, at once or little by little. */
function overBudget({ removed, lately }: Taking): Reason | null {
  const characters = removed.reduce((sum, each) => sum + each.removed, 0);
  const files = removed.filter(({ isLost }) => isLost).length;
  if (characters > most.characters) return reasonFor('removes-text', { count: characters });
  if (files > 0 && lately.files + files > most.filesAnHour)
    return reasonFor('files-an-hour', { count: lately.files + files });
  const all = lately.characters + characters;
  return characters > 0 && all > most.charactersAnHour ? reasonFor('text-an-hour', { count: all }) : null;
}

/**
 * What would speak or act for somebody else once it lies in the vault: files that other tools take for instructions, and
 * addresses that an editor asks for as soon as it shows a note.
 */
function plantedIn(
  changes: readonly FileChange[],
  relinked: readonly VaultPath[],
  isSaid: (what: string) => boolean,
): Reason | null {
  const instructions = [...changes.map(({ path }) => path), ...relinked].find(
    (path) => isInstructions(path) && !isSaid(nameOf(path)),
  );
  if (instructions !== undefined) return reasonFor('instructions', { path: showPath(instructions) });
  const loaded = (bytes: Buffer | null): string[] =>
    bytes === null ? [] : loadedAddresses(bytes.toString());
  const known = new Set(changes.flatMap((each) => loaded(beforeOf(each))));
  for (const change of changes) {
    if (kindOf(nameOf(change.path)) !== 'markdown') continue;
    const address = loaded(afterOf(change)).find((each) => !known.has(each) && !isSaid(each));
    if (address !== undefined)
      return reasonFor('loads-from-elsewhere', { path: showPath(change.path), address: shorten(address) });
  }
  return null;
}

function shorten(address: string): string {
  const line = escapeInvisible(address.replaceAll(/\s+/g, ' '));
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
