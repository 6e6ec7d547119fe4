import { randomUUID } from 'node:crypto';
import type { Environment } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { readSettings } from '../hook/index.ts';
import { findRemoteResources } from '../vault/index.ts';
import { importKeyPrefix } from './drain.ts';
import { selectAttended } from './plan-session-import.ts';
import type { PlannedSession } from './plan-session-import.ts';
import { createSessionRecords } from './session-records.ts';
import type { SessionRecords } from './session-records.ts';
import { submitUpdate } from './submit-update.ts';
import { getTextLength } from './transcript.ts';
import { isWorthImporting, selectNewEvents, splitSegments, toEvents } from './transcript-events.ts';
import { toRecord, writeSessionNotes } from './write-notes.ts';
import type { SessionSegments, SessionVault } from './write-notes.ts';

export type SessionImportOptions = {
  keepsake: SessionVault;
  environment: Environment;
  /** How many of the newest sessions a model files; the others become notes. */
  file: number;
  clock: Clock;
  /** Stops after the current change. */
  signal: AbortSignal;
  onProgress: (phase: 'importing', done: number, total: number) => void;
};

export type SessionImportResult = {
  notes: number;
  updates: number;
  /** Sessions that had too little new text when they were read. */
  unchanged: number;
  failed: { name: string; reason: string }[];
  /** Sessions left because of an interrupt. */
  left: number;
  /** The changes that wrote notes. */
  changes: string[];
};

/** The size of one change. A change is written completely or not at all, so that an interrupt leaves whole notes. */
const maxBatch = { notes: 50, characters: 2_000_000 };

/**
 * Imports planned sessions: the newest ones as updates if requested, the others as notes in changes of up to 50. The
 * next run continues after an interrupt, because every session is recorded with its change.
 */
export async function importSessions(
  planned: readonly PlannedSession[],
  options: SessionImportOptions,
): Promise<SessionImportResult> {
  const { keepsake, signal, onProgress } = options;
  const records = createSessionRecords(keepsake);
  const result: SessionImportResult = {
    notes: 0,
    updates: 0,
    unchanged: 0,
    failed: [],
    left: 0,
    changes: [],
  };
  const remaining = await fileNewest(planned, options, records, result);
  let batch: { name: string; session: SessionSegments }[] = [];
  const flush = async (): Promise<void> => {
    const written = batch;
    batch = [];
    await writeBatch(written, options, records, result);
  };
  let done = planned.length - remaining.length;
  for (const each of remaining) {
    if (signal.aborted) break;
    let session = await readOrFail(each, options, records, result);
    // Of a session with two transcripts, for example in a copied folder, the second one adds only what is new.
    if (session !== null && batch.some((other) => isSameSession(other.session, session))) {
      await flush();
      session = await readOrFail(each, options, records, result);
    }
    if (session !== null) {
      const item = { name: each.source.name, session };
      // A note that loads something from the network needs an approval, which must not hold the others.
      if (loadsRemoteResources(session)) await writeBatch([item], options, records, result);
      else batch.push(item);
    }
    done += 1;
    if (batch.length >= maxBatch.notes || countCharacters(batch) >= maxBatch.characters) await flush();
    onProgress('importing', done, planned.length);
  }
  await flush();
  return { ...result, left: planned.length - done };
}

/** Submits the newest sessions, as many as requested and allowed today. Returns the others, oldest first. */
async function fileNewest(
  planned: readonly PlannedSession[],
  options: SessionImportOptions,
  records: SessionRecords,
  result: SessionImportResult,
): Promise<PlannedSession[]> {
  const { keepsake, environment, clock, signal } = options;
  const handled = new Set<PlannedSession>();
  for (const each of planned.toReversed()) {
    if (result.updates >= options.file || signal.aborted) break;
    const session = await readOrFail(each, options, records, result);
    if (session !== null) {
      const events = session.flat();
      const record = toRecord(session, '');
      const key = `${importKeyPrefix}${record.client}:${record.session}:${record.lastTurn}`;
      const submitter = { keepsake, stateHome: environment.stateHome, clock };
      const id = await submitUpdate({ key, events, minIntervalMs: 0 }, submitter);
      if (id === null) break;
      records.record(key, [{ ...record, became: 'update', target: id }]);
      result.updates += 1;
    }
    handled.add(each);
  }
  return planned.filter((each) => !handled.has(each));
}

/** Null if there is too little new text or the transcript cannot be read. */
async function readOrFail(
  { source, scope }: PlannedSession,
  { environment }: SessionImportOptions,
  records: SessionRecords,
  result: SessionImportResult,
): Promise<SessionSegments | null> {
  try {
    const transcript = await source.read();
    const turns = selectAttended(transcript, readSettings(environment.configurationHome));
    const record = records.find(source.client, transcript.session);
    const events = selectNewEvents(toEvents(source.client, { ...transcript, turns }, scope), record);
    if (isWorthImporting(events, record)) return splitSegments(events);
    result.unchanged += 1;
  } catch (error) {
    result.failed.push({ name: source.name, reason: describeError(error) });
  }
  return null;
}

/** If a change fails, its notes are written one by one, so that only those with an error are left out. */
async function writeBatch(
  batch: readonly { name: string; session: SessionSegments }[],
  options: SessionImportOptions,
  records: SessionRecords,
  result: SessionImportResult,
): Promise<void> {
  if (batch.length === 0) return;
  const writer = { keepsake: options.keepsake, records, origin: 'import' } as const;
  const id = randomUUID();
  try {
    await writeSessionNotes(
      batch.map(({ session }) => session),
      id,
      writer,
    );
    result.notes += batch.length;
    result.changes.push(id);
  } catch (error) {
    const [only] = batch;
    if (batch.length === 1 && only !== undefined)
      result.failed.push({ name: only.name, reason: describeError(error) });
    else for (const each of batch) await writeBatch([each], options, records, result);
  }
}

function isSameSession(one: SessionSegments, other: SessionSegments | null): boolean {
  const [a, b] = [one[0]?.[0], other?.[0]?.[0]];
  return a?.client === b?.client && a?.session === b?.session;
}

function loadsRemoteResources(segments: SessionSegments): boolean {
  return segments.flat().some(({ text }) => findRemoteResources(text).length > 0);
}

function countCharacters(batch: readonly { session: SessionSegments }[]): number {
  return batch.reduce((sum, { session }) => sum + getTextLength(session.flat()), 0);
}
