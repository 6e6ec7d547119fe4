import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { spoolFolder } from '../hook/index.ts';
import type { SessionEvent } from '../hook/index.ts';
import { redactSecrets } from '../secrets/index.ts';
import { ensureSpoolFolder } from './spool.ts';
import { formatSession, getClientTitle, getSessionEnd, getSessionTitle } from './transcript.ts';
import { findExistingProject } from './write-notes.ts';

type Submission = {
  /** The idempotency key of the update. */
  key: string;
  /** The events of one or more sessions of a project; at least one. */
  events: readonly SessionEvent[];
  /** The least time between two updates of one project, in milliseconds. */
  minIntervalMs: number;
};

type Submitter = {
  keepsake: Pick<Keepsake, 'contents' | 'layout' | 'accept' | 'agents'>;
  stateHome: string;
  clock: () => number;
};

const hour = 3_600_000;
const maxUpdatesPerDay = 20;

/** Submits sessions to the model. Null if the limit of updates per day or the interval is reached. */
export async function submitUpdate(
  { key: firstKey, events, minIntervalMs }: Submission,
  { keepsake, stateHome, clock }: Submitter,
): Promise<string | null> {
  const [first] = events;
  if (first === undefined) throw new Error('a segment must contain at least one event');
  const project = findExistingProject(first.project, await keepsake.contents(), keepsake.layout());
  // A transcript joins texts, which can make a secret of them. Queued text has masks, so it would not be found again.
  const sessions = [...Map.groupBy(events, ({ session }) => session).values()].toSorted((a, b) =>
    getSessionEnd(a).localeCompare(getSessionEnd(b)),
  );
  const transcripts = sessions.map((turns) => redactSecrets(formatSession([turns])).text);
  const { key, accepted, records } = findAccepted(firstKey, transcripts, keepsake);
  if (accepted !== null) return accepted;
  const now = clock();
  const filed = listSubmittedToday(stateHome, now);
  const isKnown = filed.some((each) => each.key === key);
  const isEnough =
    filed.length >= maxUpdatesPerDay ||
    filed.some((each) => each.project === project && Math.abs(now - each.at) < minIntervalMs);
  if (isEnough && !isKnown) return null;
  if (!isKnown) {
    ensureSpoolFolder(stateHome);
    replaceFile(submittedFile(stateHome), JSON.stringify([...filed, { key, project, at: now }]));
  }
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
        at: getSessionEnd(turns),
      },
    },
    { key },
  );
  return id;
}

/** Whether an update with this key was submitted, or is about to be. */
export function isSubmitted(key: string, { keepsake, stateHome }: Submitter): boolean {
  return (
    readSubmitted(stateHome).some((each) => each.key === key) ||
    keepsake.agents.updates.findByKey(key) !== undefined
  );
}

/** An entry from the future was written while the clock was wrong, and must not hold up sessions until then. */
function listSubmittedToday(stateHome: string, now: number): SubmittedSegment[] {
  return readSubmitted(stateHome).filter(({ at }) => Math.abs(now - at) < 24 * hour);
}

/**
 * Asks the queue whether a segment was submitted before. `accepted` is the update that contains all its records; if sessions were added to
 * the segment afterwards, `records` are theirs, to be submitted with another key.
 */
function findAccepted(
  key: string,
  records: string[],
  keepsake: Submitter['keepsake'],
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
