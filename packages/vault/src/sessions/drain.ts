import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { spoolFolder } from '../hook/index.ts';
import type { SessionEvent } from '../hook/index.ts';
import { redactSecrets } from '../secrets/index.ts';
import { childPath, findFolder, formatPath } from '../vault/index.ts';
import {
  getTextLength,
  maxTranscriptLength,
  formatSession,
  formatTranscript,
  getClientTitle,
  getSessionTitle,
  isWorthKeeping,
} from './transcript.ts';
import { mergeSegments, removeSegment, listSegments, createSegment, listOpenSessions } from './spool.ts';
import type { Segment } from './spool.ts';

export type DrainOptions = {
  keepsake: Pick<Keepsake, 'root' | 'contents' | 'layout' | 'accept' | 'agents' | 'restricted'>;
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

const idleTimeoutMs = 30 * 60_000;
const maxAgeMs = 30 * 86_400_000;
/** Segments with fewer characters are not worth keeping. */
const minSegmentLength = 400;
const hour = 3_600_000;
const maxUpdatesPerDay = 20;

/**
 * Imports finished sessions into the vault: as updates if a model files them, otherwise as notes. An interrupted
 * segment is resumed under its id and so becomes exactly one note or update.
 */
export async function drain(parts: DrainOptions): Promise<DrainResult> {
  const { keepsake, stateHome, clock } = parts;
  for (const waiting of listOpenSessions(stateHome, keepsake.root).values())
    if (isFinished(waiting, clock())) createSegment(stateHome, waiting);
  const drained: DrainResult = { notes: [], updates: [], dropped: 0, waiting: 0, failed: [] };
  const worth = listSegments(stateHome, keepsake.root).filter((segment) => {
    const isLong = getTextLength(segment.parts) >= minSegmentLength;
    // With a model, the agent decides.
    if (isLong && (parts.hasModel() || isWorthKeeping(segment.parts))) return true;
    drained.dropped += 1;
    removeSegment(stateHome, segment);
    return false;
  });
  for (const segment of parts.hasModel() ? mergeByProject(worth, parts) : worth)
    try {
      await processSegment(segment, parts, drained);
    } catch (error) {
      drained.failed.push(error);
    }
  return drained;
}

async function processSegment(segment: Segment, parts: DrainOptions, drained: DrainResult): Promise<void> {
  if (!parts.hasModel()) drained.notes.push(await writeNote(segment, parts));
  else {
    const id = await submitUpdate(segment, parts);
    if (id === null) {
      drained.waiting += 1;
      return;
    }
    drained.updates.push(id);
  }
  removeSegment(parts.stateHome, segment);
}

/**
 * Merges the waiting segments of a project up to the size of one update. Segments that may have been submitted stay as
 * they are.
 */
function mergeByProject(segments: Segment[], { keepsake, stateHome }: DrainOptions): Segment[] {
  const known = new Set(readSubmitted(stateHome).map(({ key }) => key));
  const together: Segment[] = [];
  for (const segment of segments) {
    const isFree = ({ id }: Segment): boolean => {
      const key = toIdempotencyKey(id);
      return !known.has(key) && keepsake.agents.updates.findByKey(key) === undefined;
    };
    const at = together.findIndex(
      (other) =>
        isFree(segment) &&
        isFree(other) &&
        other.parts[0]?.project === segment.parts[0]?.project &&
        getTextLength(other.parts) + getTextLength(segment.parts) <= maxTranscriptLength,
    );
    const other = together[at];
    if (other === undefined) together.push(segment);
    else together[at] = mergeSegments(stateHome, other, segment);
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
  return hasEnded || now - last.at > idleTimeoutMs || now - (parts[0]?.at ?? now) > maxAgeMs;
}

async function findProject({ parts }: Segment, { keepsake }: DrainOptions): Promise<string | null> {
  const project = parts[0]?.project ?? null;
  const projects = findFolder(await keepsake.contents(), keepsake.layout().projectsPath)?.folders;
  return project !== null && projects?.has(project) === true ? project : null;
}

async function writeNote(segment: Segment, parts: DrainOptions): Promise<string> {
  const [first] = segment.parts;
  if (first === undefined) throw new Error('a segment must contain at least one event');
  const { keepsake } = parts;
  const [day, time] = [formatLocalTime(first.at).slice(0, 10), formatLocalTime(first.at).slice(11, 16)];
  const folder = keepsake.layout().sessionsFolder(await findProject(segment, parts));
  const ending = `-${first.client}-${createHash('sha256').update(first.session).digest('hex').slice(0, 8)}.md`;
  const present = [...(findFolder(await keepsake.contents(), folder)?.files.keys() ?? [])];
  const begun = present.find((name) => name.endsWith(ending));
  const path = childPath(folder, begun ?? `${day}-${time.replace(':', '')}${ending}`);
  const { restricted } = keepsake;
  if (restricted.changes.find(segment.id)?.entry.id === segment.id) return formatPath(path);
  const fields = {
    source: getClientTitle(first.client),
    session: first.session,
    folder: first.folder,
    ...(first.remote !== null && { remote: first.remote }),
    ...(first.branch != null && { branch: first.branch }),
    ended: endOf(segment.parts),
    filed: false,
  };
  const frontmatter = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const content = `---\n${frontmatter.join('\n')}\n---\n\n${formatSession(segment.parts)}\n`;
  // A resumed session is appended to its note, which then counts as not filed.
  const before = begun === undefined ? null : await restricted.readFile(path);
  const goesOn = before?.kind === 'file' ? before.bytes.toString() : null;
  const whole =
    goesOn === null
      ? content
      : `${resumeNote(goesOn, segment.parts).trimEnd()}\n\n${formatTranscript(segment.parts)}\n`;
  const outcome = await restricted.callTool({
    tool: 'write',
    input: { path: formatPath(path), content: whole },
    reader: 'model',
    origin: 'capture',
    connection: 'capture',
    id: segment.id,
    ...(before?.kind === 'file' && { revision: before.revision }),
  });
  const problem = outcome.kind === 'refused' ? outcome.message : outcome.result.value.errors[0]?.message;
  if (problem !== undefined) throw new Error(`${formatPath(path)}: ${problem}`);
  return formatPath(path);
}

/** The local time of the last event. */
function endOf(parts: readonly SessionEvent[]): string {
  return formatLocalTime(Math.max(...parts.map(({ at }) => at)));
}

function resumeNote(text: string, parts: readonly SessionEvent[]): string {
  return text
    .replace(/^filed: true$/m, 'filed: false')
    .replace(/^ended: .*$/m, `ended: ${JSON.stringify(endOf(parts))}`);
}

/** Null if the limit of updates per hour or day is reached. */
async function submitUpdate(segment: Segment, parts: DrainOptions): Promise<string | null> {
  const [first] = segment.parts;
  if (first === undefined) throw new Error('a segment must contain at least one event');
  const { keepsake, stateHome, clock } = parts;
  const project = await findProject(segment, parts);
  // A transcript joins texts, which can make a secret of them. Queued text has masks, so it would not be found again.
  const sessions = [...Map.groupBy(segment.parts, ({ session }) => session).values()].toSorted((a, b) =>
    endOf(a).localeCompare(endOf(b)),
  );
  const transcripts = sessions.map((turns) => redactSecrets(formatSession(turns)).text);
  const { key, accepted, records } = findAccepted(toIdempotencyKey(segment.id), transcripts, keepsake);
  if (accepted !== null) return accepted;
  const now = clock();
  // An entry from the future was written while the clock was wrong, and must not hold up sessions until then.
  const filed = readSubmitted(stateHome).filter(({ at }) => Math.abs(now - at) < 24 * hour);
  const isKnown = filed.some((each) => each.key === key);
  const isEnough =
    filed.length >= maxUpdatesPerDay ||
    filed.some((each) => each.project === project && Math.abs(now - each.at) < hour);
  if (isEnough && !isKnown) return null;
  if (!isKnown) replaceFile(submittedFile(stateHome), JSON.stringify([...filed, { key, project, at: now }]));
  const place = first.remote ?? first.folder;
  const turns = sessions.at(-1) ?? [first];
  const { client, branch } = turns.at(-1) ?? first;
  const { id } = await keepsake.accept(
    {
      text: `${records.join('\n\n')}\n`,
      files: [],
      source: { kind: 'other', name: `${getClientTitle(first.client)} in ${place}` },
      session: {
        client: getClientTitle(client),
        project,
        branch: branch ?? null,
        title: redactSecrets(getSessionTitle(turns)).text,
        at: endOf(turns),
      },
    },
    { key },
  );
  return id;
}

/**
 * Asks the queue whether a segment was submitted before. `accepted` is the update that contains all its records; if sessions were added to
 * the segment afterwards, `records` are theirs, to be submitted with another key.
 */
function findAccepted(
  key: string,
  records: string[],
  keepsake: DrainOptions['keepsake'],
): { key: string; accepted: string | null; records: string[] } {
  const update = keepsake.agents.updates.findByKey(key);
  if (update === undefined) return { key, accepted: null, records };
  const others = records.filter((record) => !update.input.text.includes(record));
  if (others.length === 0) return { key, accepted: update.id, records };
  const suffix = createHash('sha256').update(others.join('\n')).digest('hex').slice(0, 8);
  return findAccepted(`${key}:${suffix}`, others, keepsake);
}

type SubmittedSegment = { key: string; project: string | null; at: number };

function submittedFile(stateHome: string): string {
  return join(spoolFolder(stateHome), 'filed.json');
}

/** Empty if the file is missing or damaged: then only the limits of updates per hour and day start again. */
function readSubmitted(stateHome: string): SubmittedSegment[] {
  try {
    const entries: unknown = JSON.parse(readFileSync(submittedFile(stateHome), 'utf8'));
    return Array.isArray(entries) ? entries.filter(isSubmittedSegment) : [];
  } catch {
    return [];
  }
}

function isSubmittedSegment(entry: unknown): entry is SubmittedSegment {
  return typeof entry === 'object' && entry !== null && 'key' in entry && 'at' in entry;
}
