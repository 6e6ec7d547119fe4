import type { Changes } from '../changes/index.ts';
import { inTurn } from '../contract/index.ts';
import { parseVaultPath, revisionOf } from '../vault/index.ts';
import type { Revision, VaultPath } from '../vault/index.ts';
import { tools } from './all-tools.ts';
import { callAndCommit } from './commit.ts';
import type { ToolOutcome } from './define-tool.ts';
import type { ReadRun, WriteRun } from './run.ts';
import { createShown } from './shown.ts';
import type { Shown } from './shown.ts';

export type ToolCall = {
  tool: string;
  input: unknown;
  reader: 'model' | 'person';
  /** Where the call comes from, for history. */
  origin: string;
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
  changes: Changes;
  readRun: (reader: ToolCall['reader']) => ReadRun;
  writeRun: (reader: ToolCall['reader']) => WriteRun;
};

/** Together: in number, and in characters of what was shown. */
const most = { runs: 1_000, characters: 50_000_000 };

/** Each call is one transaction. Runs are forgotten when too many others came after them. */
export function createToolCaller({ changes, readRun, writeRun }: Parts): ToolCaller {
  const runs = new Map<string, Shown>();
  /** Changes wait for each other, so that two of them at one moment are no conflict. */
  const changing = inTurn();
  const shownIn = (run: string | undefined): Shown => {
    if (run === undefined) return createShown();
    const shown = runs.get(run) ?? createShown();
    runs.delete(run);
    forgetOldest(runs);
    runs.set(run, shown);
    return shown;
  };

  return async ({ tool: name, input, reader, run, ...call }) => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined)
      return { kind: 'refused', message: `error: there is no tool ${JSON.stringify(name)}` };
    const shown = shownIn(run);
    if (tool.effect === 'read') return tool.call(input, { ...readRun(reader), shown });
    const done = call.id === undefined ? null : changes.find(call.id);
    if (done !== null && done.entry.id === call.id && done.entry.state !== 'reverted')
      return answered(done.entry.summary);
    const context = { ...writeRun(reader), shown };
    const path = pathOf(input);
    const known = call.revision ?? call.ifRevision;
    if (known != null && path !== null) shown.noteKnown(path, known as Revision);
    const { ifRevision } = call;
    const isBasedAsKnown = (): boolean =>
      ifRevision === undefined || path === null || isBasedOn(context, path, ifRevision);
    return changing(() => callAndCommit(tool, input, context, { ...call, isBasedAsKnown }));
  };
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
function answered(summary: string): ToolOutcome {
  return { kind: 'result', result: { text: summary, images: [], value: { errors: [] } } };
}

/** The file that a call is about, if it is about one. */
function pathOf(input: unknown): VaultPath | null {
  const { path } = (input ?? {}) as { path?: unknown };
  const parsed = typeof path === 'string' ? parseVaultPath(path) : null;
  return parsed?.ok === true ? parsed.path : null;
}
