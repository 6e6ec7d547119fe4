import { createHash } from 'node:crypto';
import type { Changes, JournalEntry } from '../changes/index.ts';
import { inTurn, reasonFor } from '../contract/index.ts';
import { parseVaultPath, revisionOf, VaultError } from '../vault/index.ts';
import type { Revision, VaultPath } from '../vault/index.ts';
import { tools } from './all-tools.ts';
import { callAndCommit, heldNote } from './commit.ts';
import type { ToolOutcome } from './define-tool.ts';
import type { Door } from './door.ts';
import type { ReadRun, WriteRun } from './run.ts';
import { createShown } from './shown.ts';
import type { Shown } from './shown.ts';

export type ToolCall = {
  tool: string;
  input: unknown;
  reader: 'model' | 'person';
  door?: Door | undefined;
  /** Where the call comes from, for history. */
  origin: string;
  /** The id of the token that it was made with; without one it is the person's, or that of a client of theirs. */
  token?: string | undefined;
  /** Calls of one run share what was read; without one a call stands alone. */
  run?: string | undefined;
  /** The same id again is the same call: a change is made once, however often its answer is lost. */
  id?: string | undefined;
  /** What the caller knows the file to be, where there is no run to remember it. */
  revision?: string | undefined;
  /** Nothing is written unless the file is at this revision; null when there must be none. */
  ifRevision?: string | null | undefined;
  /** A person has agreed to a change that removes much at once. */
  isConfirmed?: boolean | undefined;
};

/** Calls tools for whoever is outside: the same for MCP, HTTP and commands of other processes. */
export type ToolCaller = (call: ToolCall) => Promise<ToolOutcome>;

type Parts = {
  changes: Pick<Changes, 'find'>;
  /** Whether an id is that of an update: what is made under it passes for what became of that. */
  isUpdate: (id: string) => boolean;
  /** Changes wait for each other, so that two of them at one moment are no conflict: those of all callers of a vault. */
  changing?: ReturnType<typeof inTurn>;
  readRun: (reader: ToolCall['reader']) => ReadRun;
  writeRun: (reader: ToolCall['reader'], token?: string) => WriteRun;
};

/** Together: in number, and in characters of what was shown. */
const most = { runs: 1_000, characters: 50_000_000 };

/** Each call is one transaction. Runs are forgotten when too many others came after them. */
export function createToolCaller({
  changes,
  isUpdate,
  changing = inTurn(),
  readRun,
  writeRun,
}: Parts): ToolCaller {
  const runs = new Map<string, Shown>();
  const shownIn = (run: string | undefined): Shown => {
    if (run === undefined) return createShown();
    const shown = runs.get(run) ?? createShown();
    runs.delete(run);
    forgetOldest(runs);
    runs.set(run, shown);
    return shown;
  };

  /** The answer to a call whose id was used before; null for a new one. */
  const answeredBefore = (id: string | undefined, asked: string): ToolOutcome | null => {
    if (id === undefined) return null;
    const done = changes.find(id);
    const isDone = done !== null && done.entry.id === id && done.entry.state !== 'reverted';
    if (isDone && done.call === asked) return answered(done.entry);
    return isDone || isUpdate(id)
      ? { kind: 'refused', message: `error: the id ${id} stands for something else; choose a new one` }
      : null;
  };

  return async ({ tool: name, input, reader, door = 'tools', run, token, ...call }) => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined)
      return { kind: 'refused', message: `error: there is no tool ${JSON.stringify(name)}` };
    const shown = shownIn(run);
    if (tool.effect === 'read') return tool.call(input, { ...readRun(reader), shown, door });
    const context = { ...writeRun(reader, token), shown, door };
    const path = pathOf(input);
    const known = call.revision ?? call.ifRevision;
    if (known != null && path !== null) shown.noteKnown(path, known as Revision);
    const { ifRevision } = call;
    const isBasedAsKnown = (): boolean =>
      ifRevision === undefined || path === null || isBasedOn(context, path, ifRevision);
    const asked = digestOf(name, input);
    return changing(async () => {
      const answer = answeredBefore(call.id, asked);
      if (answer !== null) return answer;
      try {
        return await callAndCommit(tool, input, context, { ...call, call: asked, isBasedAsKnown });
      } catch (error) {
        // Another process made the same call since the look above.
        const isMade = error instanceof VaultError && error.code === 'made-already';
        const made = isMade ? answeredBefore(call.id, asked) : null;
        if (made === null) throw error;
        return made;
      }
    });
  };
}

function digestOf(tool: string, input: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, input]))
    .digest('hex');
}

function forgetOldest(runs: Map<string, Shown>): void {
  let characters = runs.values().reduce((sum, shown) => sum + shown.size(), 0);
  for (const [run, shown] of runs) {
    if (runs.size < most.runs && characters < most.characters) return;
    characters -= shown.size();
    runs.delete(run);
  }
}

/** Whether what is staged was made from this revision of a file; null for none. A folder in its place is something else. */
function isBasedOn({ transaction }: WriteRun, path: VaultPath, revision: string | null): boolean {
  const before = transaction.before(path);
  if (before === undefined) return transaction.staged().size === 0;
  return (before === null ? null : revisionOf(before)) === revision;
}

/** The answer to a change whose first answer was lost. */
function answered(entry: JournalEntry): ToolOutcome {
  return { kind: 'result', result: { text: textOf(entry), images: [], value: { errors: [] } } };
}

function textOf({ id, summary, state }: JournalEntry): string {
  if (state === 'held') return heldNote(id, reasonFor('undecided', {}));
  return state === 'rejected' ? 'the person rejected this change; nothing was written' : summary;
}

/** The file that a call is about, if it is about one. */
function pathOf(input: unknown): VaultPath | null {
  const { path } = (input ?? {}) as { path?: unknown };
  const parsed = typeof path === 'string' ? parseVaultPath(path) : null;
  return parsed?.ok === true ? parsed.path : null;
}
