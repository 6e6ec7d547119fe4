import { createHash } from 'node:crypto';
import type { Changes, JournalEntry } from '../changes/index.ts';
import { createLimiter, formatReason } from '../contract/index.ts';
import { parseVaultPath, computeRevision, createYielder, VaultError } from '../vault/index.ts';
import type { Revision, VaultPath } from '../vault/index.ts';
import { tools } from './tools.ts';
import { callAndCommit, formatHeldNote } from './commit.ts';
import type { ToolOutcome } from './define-tool.ts';
import type { ToolInterface } from './tool-names.ts';
import type { ReadRun, WriteRun } from './run.ts';
import { createShownLines } from './shown-lines.ts';
import type { ShownLines } from './shown-lines.ts';

export type ToolCall = {
  tool: string;
  input: unknown;
  reader: 'model' | 'person';
  door?: ToolInterface | undefined;
  /** Name of the caller, for history. */
  origin: string;
  /** The name of the connection, which identifies the client; undefined for the user. */
  connection?: string | undefined;
  /** Throws if the sender has lost access meanwhile. Called right before a change is written. */
  assertAllowed?: (() => void) | undefined;
  /** Calls of the same run share the shown lines; undefined for an independent call. */
  run?: string | undefined;
  /** Idempotency key: a change is applied once, however often the call is repeated. It becomes the id of the change. */
  id?: string | undefined;
  /** The revision that the caller knows, for calls outside of a run. */
  revision?: string | undefined;
  /** Writes only if the file has this revision; null if the file must not exist. */
  ifRevision?: string | null | undefined;
  /** Whether a person has confirmed a large removal. */
  isConfirmed?: boolean | undefined;
};

/** Calls tools for MCP, HTTP and the CLI. */
export type ToolCaller = (call: ToolCall) => Promise<ToolOutcome>;

type Parts = {
  changes: Pick<Changes, 'find'>;
  /** Whether an id belongs to an update. A call must not reuse it, because its change would be taken for the result of the update. */
  isUpdate: (id: string) => boolean;
  /** Serializes write calls of all callers of a vault, so that concurrent calls do not conflict. */
  runExclusive?: ReturnType<typeof createLimiter>;
  readRun: (reader: ToolCall['reader']) => ReadRun;
  writeRun: (reader: ToolCall['reader'], connection?: string) => WriteRun;
};

/** Limits over all runs: their number, and the characters of their shown lines. */
const runCacheLimits = { runs: 1_000, characters: 50_000_000 };

/** Every call is one transaction. The oldest runs are evicted when there are too many. */
export function createToolCaller({
  changes,
  isUpdate,
  runExclusive = createLimiter(),
  readRun,
  writeRun,
}: Parts): ToolCaller {
  const runs = new Map<string, ShownLines>();
  const shownLinesFor = (run: string | undefined): ShownLines => {
    if (run === undefined) return createShownLines();
    const shown = runs.get(run) ?? createShownLines();
    runs.delete(run);
    evictOldestRuns(runs);
    runs.set(run, shown);
    return shown;
  };

  /** The outcome of an earlier call with the same id; null when the id is new. */
  const findEarlierOutcome = (id: string | undefined, callDigest: string): ToolOutcome | null => {
    if (id === undefined) return null;
    const done = changes.find(id);
    const isDone = done !== null && done.entry.id === id && done.entry.state !== 'reverted';
    if (isDone && done.callDigest === callDigest) return toEarlierOutcome(done.entry);
    return isDone || isUpdate(id)
      ? {
          kind: 'refused',
          message: `error: the idempotency key ${id} was used for another call; use a new one`,
        }
      : null;
  };

  return async ({ tool: name, input, reader, door: toolInterface = 'tools', run, connection, ...call }) => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined)
      return { kind: 'refused', message: `error: unknown tool ${JSON.stringify(name)}` };
    const shownLines = shownLinesFor(run);
    if (tool.effect === 'read') return tool.call(input, { ...readRun(reader), shownLines, toolInterface });
    const context = { ...writeRun(reader, connection), shownLines, toolInterface };
    const path = parsePathInput(input);
    const knownRevision = call.revision ?? call.ifRevision;
    if (knownRevision != null && path !== null) shownLines.markKnown(path, knownRevision as Revision);
    const { ifRevision } = call;
    const hasExpectedBase = (): boolean =>
      ifRevision === undefined || path === null || isStagedFrom(context, path, ifRevision);
    const pause = createYielder();
    const callDigest = computeCallDigest(name, input);
    await pause();
    return runExclusive(async () => {
      const answer = findEarlierOutcome(call.id, callDigest);
      if (answer !== null) return answer;
      try {
        return await callAndCommit(tool, input, context, { ...call, callDigest, hasExpectedBase });
      } catch (error) {
        // Another process applied the same call after the check above.
        const isMade = error instanceof VaultError && error.code === 'made-already';
        const made = isMade ? findEarlierOutcome(call.id, callDigest) : null;
        if (made === null) throw error;
        return made;
      }
    });
  };
}

function computeCallDigest(tool: string, input: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, input]))
    .digest('hex');
}

function evictOldestRuns(runs: Map<string, ShownLines>): void {
  let characters = runs.values().reduce((sum, shown) => sum + shown.size(), 0);
  for (const [run, shown] of runs) {
    if (runs.size < runCacheLimits.runs && characters < runCacheLimits.characters) return;
    characters -= shown.size();
    runs.delete(run);
  }
}

/** Whether the staged change is based on this revision of the file; null if the file must not exist. False for a folder. */
function isStagedFrom({ transaction }: WriteRun, path: VaultPath, revision: string | null): boolean {
  const before = transaction.before(path);
  if (before === undefined) return transaction.staged().size === 0;
  return (before === null ? null : computeRevision(before)) === revision;
}

/** The outcome of a call whose change was already applied. */
function toEarlierOutcome(entry: JournalEntry): ToolOutcome {
  return { kind: 'result', result: { text: formatOutcome(entry), images: [], value: { errors: [] } } };
}

function formatOutcome({ id, summary, state }: JournalEntry): string {
  if (state === 'held') return formatHeldNote(id, formatReason('undecided', {}));
  return state === 'rejected' ? 'the user rejected this change; nothing was written' : summary;
}

/** The `path` of the input, if it has one. */
function parsePathInput(input: unknown): VaultPath | null {
  const { path } = (input ?? {}) as { path?: unknown };
  const parsed = typeof path === 'string' ? parseVaultPath(path) : null;
  return parsed?.ok === true ? parsed.path : null;
}
