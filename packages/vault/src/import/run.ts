import { AppError } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { describeOutcome } from '../tools/index.ts';
import { createView, findFolder, formatPath } from '../vault/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';
import type { ItemBuild } from './candidate.ts';
import { commitPlan, hasChanges } from './commit-plan.ts';
import type { CommitResult } from './commit-plan.ts';
import { openConversionCache } from './conversion-cache.ts';
import { createConverterPool } from './convert-document.ts';
import { collectConversations } from './collect-conversations.ts';
import { collectFiles } from './collect-files.ts';
import type { CollectedItems } from './collect-files.ts';
import { findImportedItems } from './imported-items.ts';
import { openSource } from './open-source.ts';
import { planImport } from './plan.ts';
import type { Plan } from './plan-types.ts';
import { detectImportKind } from './detect-kind.ts';
import type { ImportKind } from './detect-kind.ts';
import { createImportRecordStore } from './records.ts';
import { formatAdded, createReport } from './report.ts';
import type { ImportReport } from './report.ts';
import { importLimits } from './source.ts';
import type { Source } from './source.ts';
import { resolveTarget } from './target.ts';

type ImportPhase = 'reading' | 'converting' | 'writing' | 'recording';

export type ImportRequest = {
  /** Path of a folder, an archive or a file on this machine, or a source that is open already. */
  source: string | Source;
  /** Target: a bucket, a folder in one, or a project. */
  into?: string | undefined;
  /** The kind of the source; detected if undefined. */
  kind?: ImportKind | undefined;
  /** The author in history; by default the import. */
  author?: string | undefined;
  /** Called before anything is written; throws if the caller has lost access. */
  assertAllowed?: () => void;
  /** Only reports what would be done. */
  isDryRun?: boolean;
  /** Aborts the import as long as nothing has been written. */
  signal?: AbortSignal;
  onProgress?: (phase: ImportPhase, done: number, total: number) => void;
};

type ImportJob = Required<Pick<ImportRequest, 'assertAllowed' | 'signal' | 'onProgress'>> & {
  keepsake: Keepsake;
  view: VaultView;
  author: string | undefined;
  source: Source;
  kind: ImportKind;
  target: VaultPath;
  /** Identifies the source of the items: exports of one account count as one source, wherever they were extracted. */
  origin: string;
};

const maxAttempts = 3;
const vacuumThresholdBytes = 50_000_000;

/**
 * Imports notes, documents and conversations into a bucket in one transaction. Items imported before are not imported
 * again, and files that the user has changed since are kept.
 */
export async function importSource(keepsake: Keepsake, request: ImportRequest): Promise<ImportReport> {
  const { into = 'bucket', isDryRun = false } = request;
  const source =
    typeof request.source === 'string'
      ? await openSource(request.source, keepsake.root, keepsake.state.folder())
      : request.source;
  try {
    const kind = request.kind ?? (await detectImportKind(source));
    const job: ImportJob = {
      keepsake,
      view: createView(keepsake.root, keepsake.catalogue),
      source,
      kind,
      author: request.author,
      assertAllowed: request.assertAllowed ?? (() => undefined),
      target: resolveTarget(into, kind, source.name, await keepsake.catalogue.contents(), keepsake.layout()),
      origin: kind === 'chatgpt' || kind === 'claude' || kind === 'notion' ? kind : source.location,
      signal: request.signal ?? new AbortController().signal,
      onProgress: request.onProgress ?? (() => undefined),
    };
    if (isDryRun) return await dryRun(job);
    const report = await runImport(job);
    if (report.id !== null) await recordHistory(keepsake, job.onProgress);
    return report;
  } finally {
    source.close();
  }
}

/** Writes nothing and converts nothing. */
async function dryRun(job: ImportJob): Promise<ImportReport> {
  const gathered = await gather(job, async () => ({ kind: 'refused', reason: 'not converted in a dry run' }));
  return { ...createReport(job, await plan(job, gathered, true)), id: null, isDryRun: true };
}

async function runImport(job: ImportJob): Promise<ImportReport> {
  const { keepsake, signal, assertAllowed } = job;
  const cache = openConversionCache(keepsake.state.folder(), Date.now());
  const converters = createConverterPool(cache, signal, keepsake.sandbox);
  try {
    const gathered = await gather(job, (document, stem) => converters.convert(document, stem));
    for (let attempt = 1; ; attempt += 1) {
      const planned = await plan(job, gathered, false);
      const report = { ...createReport(job, planned), isDryRun: false };
      signal.throwIfAborted();
      if (!hasChanges(planned)) return { ...report, id: null };
      assertAllowed();
      const committed = await commit(job, planned, formatAdded(report));
      if (committed.kind === 'written' || committed.kind === 'made-already') {
        cache.clear();
        return { ...report, id: committed.id };
      }
      const isOvertaken = committed.kind === 'conflict' || committed.kind === 'unchanged';
      if (!isOvertaken || attempt === maxAttempts) throw toAppError(committed);
      // Another process wrote to some or all of the paths in the meantime.
      await keepsake.catalogue.refresh();
    }
  } finally {
    converters.close();
  }
}

/** A change that cannot be recorded now is recorded when the vault is closed, which also reports the error. */
async function recordHistory(keepsake: Keepsake, onProgress: ImportJob['onProgress']): Promise<void> {
  onProgress('recording', 0, 1);
  await keepsake.changes.record().catch(() => undefined);
  // Once the bytes are in history, the journal no longer needs the space.
  const { durable } = keepsake.state.databases();
  const [pages, size] = ['freelist_count', 'page_size'].map((name) =>
    Number(durable.pragma(name, { simple: true })),
  );
  if ((pages ?? 0) * (size ?? 0) > vacuumThresholdBytes) durable.exec('vacuum');
}

type Convert = (document: { name: string; bytes: Uint8Array }, stem: string) => Promise<ItemBuild>;

async function gather(
  { source, kind, signal, onProgress }: ImportJob,
  convert: Convert,
): Promise<CollectedItems> {
  const reading = {
    source,
    signal,
    onProgress: (done: number, total: number) => onProgress('reading', done, total),
  };
  const gathered =
    kind === 'chatgpt' || kind === 'claude'
      ? await collectConversations({ ...reading, kind })
      : await collectFiles({ ...reading, kind, convert });
  source.leftOut.push(...gathered.leftOut);
  return gathered;
}

async function plan(
  { keepsake, view, kind, target, origin, onProgress }: ImportJob,
  { candidates }: CollectedItems,
  isRehearsal: boolean,
): Promise<Plan> {
  const digests = new Map(candidates.map(({ id, digest }) => [id, digest]));
  const { state } = keepsake;
  const records = state.hasDurable()
    ? createImportRecordStore(state.databases().durable).listByTarget(target)
    : [];
  const planning = {
    target,
    isNotion: kind === 'notion',
    candidates,
    known: findImportedItems(records, origin, digests, keepsake.changes),
    folder: findFolder(await keepsake.catalogue.contents(), target),
    async readFile(path: VaultPath) {
      const read = await view.read(path, importLimits.fileBytes);
      return read.kind === 'file' ? read.bytes : null;
    },
    onProgress: (done: number, total: number) => onProgress('converting', done, total),
  };
  return planImport(planning, isRehearsal);
}

/** Adopts the folder first: the first change makes it a vault, which determines its state folder. */
async function commit(
  { keepsake, view, source, target, origin, author, onProgress }: ImportJob,
  planned: Plan,
  described: string,
): Promise<CommitResult> {
  keepsake.state.ensureAdopted();
  return commitPlan(planned, {
    view,
    changes: keepsake.changes,
    records: createImportRecordStore(keepsake.state.databases().durable),
    target,
    source: origin,
    author,
    summary: `import of ${source.name}: ${described} into ${formatPath(target)}`,
    onFile: (done, total) => onProgress('writing', done, total),
  });
}

function toAppError(committed: Parameters<typeof describeOutcome>[0]): AppError {
  const outcome = describeOutcome(committed);
  return outcome.kind === 'failed'
    ? new AppError('bad-target', outcome.message, { hint: outcome.hint })
    : new AppError('bad-target', outcome.note);
}
