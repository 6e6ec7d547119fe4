import { AppError } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { explainOutcome } from '../tools/index.ts';
import { createView, folderIn, showPath } from '../vault/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';
import type { Built } from './candidate.ts';
import { commitPlan, hasWork } from './commit-plan.ts';
import type { Committed } from './commit-plan.ts';
import { openConversionCache } from './conversion-cache.ts';
import { openConverters } from './convert-document.ts';
import { gatherConversations } from './gather-conversations.ts';
import { gatherFiles } from './gather-files.ts';
import type { Gathered } from './gather-files.ts';
import { knownItems } from './known-items.ts';
import { openSource } from './open-source.ts';
import { planImport } from './plan.ts';
import type { Plan } from './planning.ts';
import { recogniseKind } from './recognise.ts';
import type { ImportKind } from './recognise.ts';
import { createImportRecords } from './records.ts';
import { describeAdded, reportOf } from './report.ts';
import type { ImportReport } from './report.ts';
import { limits } from './source.ts';
import type { Source } from './source.ts';
import { chooseTarget } from './target.ts';

type ImportPhase = 'reading' | 'converting' | 'writing' | 'recording';

export type ImportRequest = {
  /** A folder, an archive or a file, on this machine. */
  source: string;
  /** A bucket, a folder in one, or a project. */
  into?: string | undefined;
  /** What it is, where that cannot be seen. */
  kind?: ImportKind | undefined;
  /** Only tells what would be done. */
  isDryRun?: boolean;
  /** Stops it, as long as nothing is written. */
  signal?: AbortSignal;
  onProgress?: (phase: ImportPhase, done: number, total: number) => void;
};

type Job = Required<Pick<ImportRequest, 'signal' | 'onProgress'>> & {
  keepsake: Keepsake;
  view: VaultView;
  source: Source;
  kind: ImportKind;
  target: VaultPath;
  /** Whose items these are: exports of one account are one source, wherever they were unpacked. */
  origin: string;
};

const mostAttempts = 3;
const roomToKeep = 50_000_000;

/**
 * Copies notes, documents and conversations into a bucket, in one transaction. What was imported before is not imported
 * again; what a person changed since is left alone.
 */
export async function importInto(keepsake: Keepsake, request: ImportRequest): Promise<ImportReport> {
  const { into = 'bucket', isDryRun = false } = request;
  const source = await openSource(request.source, keepsake.root, keepsake.state.folder());
  try {
    const kind = request.kind ?? (await recogniseKind(source));
    const job: Job = {
      keepsake,
      view: createView(keepsake.root, keepsake.catalogue),
      source,
      kind,
      target: chooseTarget(into, kind, source.name, await keepsake.catalogue.contents(), keepsake.layout()),
      origin: kind === 'chatgpt' || kind === 'claude' || kind === 'notion' ? kind : source.place,
      signal: request.signal ?? new AbortController().signal,
      onProgress: request.onProgress ?? (() => undefined),
    };
    if (isDryRun) return await rehearse(job);
    const report = await carryOut(job);
    if (report.id !== null) await record(keepsake, job.onProgress);
    return report;
  } finally {
    source.close();
  }
}

/** Leaves nothing behind, and converts nothing. */
async function rehearse(job: Job): Promise<ImportReport> {
  const gathered = await gather(job, async () => ({ kind: 'refused', reason: 'this is a rehearsal' }));
  return { ...reportOf(job, await plan(job, gathered, true)), id: null, isDryRun: true };
}

async function carryOut(job: Job): Promise<ImportReport> {
  const { keepsake, signal } = job;
  const cache = openConversionCache(keepsake.state.folder(), Date.now());
  const converters = openConverters(cache, signal, keepsake.sandbox);
  try {
    const gathered = await gather(job, (document, stem) => converters.convert(document, stem));
    for (let attempt = 1; ; attempt += 1) {
      const planned = await plan(job, gathered, false);
      const report = { ...reportOf(job, planned), isDryRun: false };
      signal.throwIfAborted();
      if (!hasWork(planned)) return { ...report, id: null };
      const committed = await commit(job, planned, describeAdded(report));
      if (committed.kind === 'written' || committed.kind === 'made-already') {
        cache.clear();
        return { ...report, id: committed.id };
      }
      const isOvertaken = committed.kind === 'conflict' || committed.kind === 'nothing';
      if (!isOvertaken || attempt === mostAttempts) throw failed(committed);
      // Somebody put a file there meanwhile, or all of them.
      await keepsake.catalogue.refresh();
    }
  } finally {
    converters.close();
  }
}

/** What cannot be recorded now is when the vault is closed, which tells of it. */
async function record(keepsake: Keepsake, onProgress: Job['onProgress']): Promise<void> {
  onProgress('recording', 0, 1);
  await keepsake.changes.record().catch(() => undefined);
  // Once history has the bytes, the journal would keep room for as many again.
  const { durable } = keepsake.state.databases();
  const [pages, size] = ['freelist_count', 'page_size'].map((name) =>
    Number(durable.pragma(name, { simple: true })),
  );
  if ((pages ?? 0) * (size ?? 0) > roomToKeep) durable.exec('vacuum');
}

type Convert = (document: { name: string; bytes: Uint8Array }, stem: string) => Promise<Built>;

async function gather({ source, kind, signal, onProgress }: Job, convert: Convert): Promise<Gathered> {
  const reading = {
    source,
    signal,
    onProgress: (done: number, total: number) => onProgress('reading', done, total),
  };
  const gathered =
    kind === 'chatgpt' || kind === 'claude'
      ? await gatherConversations({ ...reading, kind })
      : await gatherFiles({ ...reading, kind, convert });
  source.leftOut.push(...gathered.leftOut);
  return gathered;
}

async function plan(
  { keepsake, view, kind, target, origin, onProgress }: Job,
  { candidates }: Gathered,
  isRehearsal: boolean,
): Promise<Plan> {
  const digests = new Map(candidates.map(({ id, digest }) => [id, digest]));
  const { state } = keepsake;
  const records = state.hasDurable() ? createImportRecords(state.databases().durable).into(target) : [];
  const planning = {
    target,
    isNotion: kind === 'notion',
    candidates,
    known: knownItems(records, origin, digests, keepsake.changes),
    folder: folderIn(await keepsake.catalogue.contents(), target),
    async readFile(path: VaultPath) {
      const read = await view.read(path, limits.fileBytes);
      return read.kind === 'file' ? read.bytes : null;
    },
    onProgress: (done: number, total: number) => onProgress('converting', done, total),
  };
  return planImport(planning, isRehearsal);
}

/** The first change makes the folder a vault, and with that decides where its state lies. */
async function commit(
  { keepsake, view, source, target, origin, onProgress }: Job,
  planned: Plan,
  described: string,
): Promise<Committed> {
  keepsake.state.adopt();
  return commitPlan(planned, {
    view,
    changes: keepsake.changes,
    records: createImportRecords(keepsake.state.databases().durable),
    target,
    source: origin,
    summary: `import of ${source.name}: ${described} into ${showPath(target)}`,
    onFile: (done, total) => onProgress('writing', done, total),
  });
}

function failed(committed: Parameters<typeof explainOutcome>[0]): AppError {
  const outcome = explainOutcome(committed);
  return outcome.kind === 'failed'
    ? new AppError('bad-target', outcome.message, { mend: outcome.mend })
    : new AppError('bad-target', outcome.note);
}
