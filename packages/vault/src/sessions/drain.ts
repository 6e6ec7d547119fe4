import type { Clock } from '../contract/index.ts';
import type { SessionEvent } from '../hook/index.ts';
import { formatPath } from '../vault/index.ts';
import { createSessionRecords } from './session-records.ts';
import type { SessionRecord, SessionRecords } from './session-records.ts';
import { mergeSegments, removeSegment, listSegments, createSegment, listOpenSessions } from './spool.ts';
import type { Segment } from './spool.ts';
import { isSubmitted, submitUpdate } from './submit-update.ts';
import { getTextLength, isWorthKeeping, maxTranscriptLength } from './transcript.ts';
import { toRecord, writeSessionNotes } from './write-notes.ts';
import type { SessionVault } from './write-notes.ts';

export type DrainOptions = {
  keepsake: SessionVault;
  stateHome: string;
  /** Whether a model is available to file updates. */
  hasModel: () => boolean;
  clock: Clock;
};

/**
 * The result of a drain: paths of the written notes, ids of the submitted updates, and the number of dropped and
 * waiting segments.
 */
export type DrainResult = {
  notes: string[];
  updates: string[];
  dropped: number;
  waiting: number;
  /** Errors of segments that failed; these segments are tried again by the next drain. */
  failed: unknown[];
};

/** A session that was silent for longer is finished, or continues with a new segment. */
export const idleTimeoutMs = 30 * 60_000;
/** An agent can work for hours on a prompt, which belongs into one segment with its answer. */
const answerTimeoutMs = 24 * 3_600_000;
const maxAgeMs = 30 * 86_400_000;
const minUpdateIntervalMs = 3_600_000;

/**
 * Imports finished sessions into the vault: as updates if a model files them, otherwise as notes. An interrupted
 * segment is resumed under its id and so becomes exactly one note or update.
 */
export async function drain(parts: DrainOptions): Promise<DrainResult> {
  const { keepsake, stateHome, clock } = parts;
  for (const waiting of listOpenSessions(stateHome, keepsake.root).values())
    if (isFinished(waiting, clock())) createSegment(stateHome, waiting);
  const drained: DrainResult = { notes: [], updates: [], dropped: 0, waiting: 0, failed: [] };
  const records = createSessionRecords(keepsake);
  const segments = listSegments(stateHome, keepsake.root).map(({ id, parts: events }) => ({
    id,
    parts: withoutImported(events, records, keepsake),
  }));
  const worth = segments.filter((segment) => {
    if (isWorthKeeping(segment.parts, parts.hasModel())) return true;
    drained.dropped += 1;
    removeSegment(stateHome, segment);
    return false;
  });
  for (const segment of parts.hasModel() ? mergeByProject(worth, parts) : worth)
    try {
      await processSegment(segment, parts, records, drained);
    } catch (error) {
      drained.failed.push(error);
    }
  return drained;
}

async function processSegment(
  { id, parts: events }: Segment,
  options: DrainOptions,
  records: SessionRecords,
  drained: DrainResult,
): Promise<void> {
  const sessions = [...Map.groupBy(events, ({ client, session }) => `${client} ${session}`).values()].map(
    (segment) => [segment],
  );
  if (options.hasModel()) {
    const key = toIdempotencyKey(id);
    const update = await submitUpdate({ key, events, minIntervalMs: minUpdateIntervalMs }, options);
    if (update === null) {
      drained.waiting += 1;
      return;
    }
    records.record(
      key,
      sessions.map((session) => ({ ...toRecord(session, update), became: 'update' })),
    );
    drained.updates.push(update);
  } else {
    const writer = { keepsake: options.keepsake, records, origin: 'capture' } as const;
    drained.notes.push(...(await writeSessionNotes(sessions, id, writer)).map(formatPath));
  }
  removeSegment(options.stateHome, { id, parts: events });
}

/** Removes the events that an import has read from the transcript of the client while they waited in the spool. */
function withoutImported(
  events: SessionEvent[],
  records: SessionRecords,
  { changes }: DrainOptions['keepsake'],
): SessionEvent[] {
  const isImport = ({ change, became }: SessionRecord): boolean =>
    became === 'update'
      ? change.startsWith(importKeyPrefix)
      : changes.find(change)?.entry.origin === 'import';
  const covered = new Map<string, SessionRecord | null>();
  return events.filter(({ client, session, key, at }) => {
    const name = `${client} ${session}`;
    if (!covered.has(name)) {
      const record = records.find(client, session);
      covered.set(name, record !== null && isImport(record) ? record : null);
    }
    const record = covered.get(name);
    return record == null || (key !== record.lastTurn && at > record.at);
  });
}

/** The start of the idempotency keys of updates that an import submits. */
export const importKeyPrefix = 'import:';

/**
 * Merges the waiting segments of a project up to the size of one update. Segments that may have been submitted stay as
 * they are.
 */
function mergeByProject(segments: Segment[], options: DrainOptions): Segment[] {
  const together: Segment[] = [];
  for (const segment of segments) {
    const isFree = ({ id }: Segment): boolean => !isSubmitted(toIdempotencyKey(id), options);
    const at = together.findIndex(
      (other) =>
        isFree(segment) &&
        isFree(other) &&
        other.parts[0]?.project === segment.parts[0]?.project &&
        getTextLength(other.parts) + getTextLength(segment.parts) <= maxTranscriptLength,
    );
    const other = together[at];
    if (other === undefined) together.push(segment);
    else together[at] = mergeSegments(options.stateHome, other, segment);
  }
  return together;
}

function toIdempotencyKey(id: string): string {
  return `capture:${id}`;
}

/** Whether the session has ended, was compacted, has been idle for long enough, or is too old to wait for more. */
function isFinished(parts: readonly SessionEvent[], now: number): boolean {
  const last = parts.at(-1);
  if (last === undefined) return false;
  const hasEnded = parts.some(
    ({ event, text }) => event === 'post-compact' || (event === 'session-end' && text !== 'resume'),
  );
  const timeoutMs = last.event === 'prompt' ? answerTimeoutMs : idleTimeoutMs;
  return hasEnded || now - last.at > timeoutMs || now - (parts[0]?.at ?? now) > maxAgeMs;
}
