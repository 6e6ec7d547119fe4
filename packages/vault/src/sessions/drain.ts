import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keepsake } from '../app/index.ts';
import { localTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { spoolFolder } from '../hook/index.ts';
import type { Part } from '../hook/index.ts';
import { childPath, folderIn, showPath } from '../vault/index.ts';
import { lengthOf, longest, recordOf, titleOf } from './record.ts';
import { sessionsFolder } from './session-notes.ts';
import { joinSegments, removeSegment, segmentsOf, setAside, waitingParts } from './spool.ts';
import type { Segment } from './spool.ts';

export type DrainParts = {
  keepsake: Pick<Keepsake, 'root' | 'contents' | 'layout' | 'accept' | 'forModels'>;
  stateHome: string;
  /** Whether a model files what is handed over. */
  hasModel: () => boolean;
  clock: Clock;
};

/** What became of segments: notes that were written, updates that were handed over, what was too little, what waits, what failed. */
export type Drained = {
  notes: string[];
  updates: string[];
  dropped: number;
  waiting: number;
  /** These wait as well, and keep none of the others. */
  failed: unknown[];
};

const silence = 30 * 60_000;
const oldest = 30 * 86_400_000;
/** Characters, below which nothing was said that is worth keeping. */
const least = 400;
const hour = 3_600_000;
const mostADay = 20;

/**
 * Brings into the vault what was said in sessions that are over: as an update where a model files it, else as a note. A segment
 * that is interrupted is taken up again under its id, and so becomes one note or one update.
 */
export async function drain(parts: DrainParts): Promise<Drained> {
  const { keepsake, stateHome, clock } = parts;
  for (const waiting of waitingParts(stateHome, keepsake.root).values())
    if (isOver(waiting, clock())) setAside(stateHome, waiting);
  const drained: Drained = { notes: [], updates: [], dropped: 0, waiting: 0, failed: [] };
  const worth = segmentsOf(stateHome, keepsake.root).filter((segment) => {
    if (lengthOf(segment.parts) >= least) return true;
    drained.dropped += 1;
    removeSegment(stateHome, segment);
    return false;
  });
  for (const segment of parts.hasModel() ? joined(worth, stateHome) : worth)
    try {
      await bringIn(segment, parts, drained);
    } catch (error) {
      drained.failed.push(error);
    }
  return drained;
}

async function bringIn(segment: Segment, parts: DrainParts, drained: Drained): Promise<void> {
  if (!parts.hasModel()) drained.notes.push(await writeNote(segment, parts));
  else {
    const id = await handOver(segment, parts);
    if (id === null) {
      drained.waiting += 1;
      return;
    }
    drained.updates.push(id);
  }
  removeSegment(parts.stateHome, segment);
}

/** What waits of one project goes together, as far as an update holds it. What may have been handed over stays as it was. */
function joined(segments: Segment[], stateHome: string): Segment[] {
  const known = new Set(readFiled(stateHome).map(({ key }) => key));
  const together: Segment[] = [];
  for (const segment of segments) {
    const isFree = ({ id }: Segment): boolean => !known.has(keyOf(id));
    const at = together.findIndex(
      (other) =>
        isFree(segment) &&
        isFree(other) &&
        other.parts[0]?.project === segment.parts[0]?.project &&
        lengthOf(other.parts) + lengthOf(segment.parts) <= longest,
    );
    const other = together[at];
    if (other === undefined) together.push(segment);
    else together[at] = joinSegments(stateHome, other, segment);
  }
  return together;
}

function keyOf(id: string): string {
  return `capture:${id}`;
}

/** It ended, was compacted, or has been silent; what is too old goes on as it is. */
function isOver(parts: readonly Part[], now: number): boolean {
  const last = parts.at(-1);
  if (last === undefined) return false;
  const hasEnded = parts.some(
    ({ event, text }) => event === 'post-compact' || (event === 'session-end' && text !== 'resume'),
  );
  return hasEnded || now - last.at > silence || now - (parts[0]?.at ?? now) > oldest;
}

async function projectOf({ parts }: Segment, { keepsake }: DrainParts): Promise<string | null> {
  const project = parts[0]?.project ?? null;
  const projects = folderIn(await keepsake.contents(), keepsake.layout().projectsPath)?.folders;
  return project !== null && projects?.has(project) === true ? project : null;
}

async function writeNote(segment: Segment, parts: DrainParts): Promise<string> {
  const [first] = segment.parts;
  if (first === undefined) throw new Error('a segment has parts');
  const { keepsake } = parts;
  const [day, time] = [localTime(first.at).slice(0, 10), localTime(first.at).slice(11, 16)];
  const folder = sessionsFolder(keepsake.layout(), await projectOf(segment, parts));
  const ending = `-${first.client}-${createHash('sha256').update(first.session).digest('hex').slice(0, 8)}.md`;
  const present = [...(folderIn(await keepsake.contents(), folder)?.files.keys() ?? [])];
  const begun = present.find((name) => name.endsWith(ending));
  const path = childPath(folder, begun ?? `${day}-${time.replace(':', '')}${ending}`);
  const { forModels } = keepsake;
  if (forModels.changes.find(segment.id)?.entry.id === segment.id) return showPath(path);
  const fields = {
    source: titleOf(first.client),
    session: first.session,
    folder: first.folder,
    ...(first.remote !== null && { remote: first.remote }),
    filed: false,
  };
  const frontmatter = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const content = `---\n${frontmatter.join('\n')}\n---\n\n# Session ${day} ${time}, ${titleOf(first.client)}\n\n${recordOf(segment.parts)}\n`;
  // One that is resumed goes on in its note, and is not filed any more.
  const before = begun === undefined ? null : await forModels.readFile(path);
  const goesOn = before?.kind === 'file' ? before.bytes.toString() : null;
  const whole =
    goesOn === null
      ? content
      : `${goesOn.replace(/^filed: true$/m, 'filed: false').trimEnd()}\n\n${recordOf(segment.parts)}\n`;
  const outcome = await forModels.callTool({
    tool: 'write',
    input: { path: showPath(path), content: whole },
    reader: 'model',
    origin: 'capture',
    id: segment.id,
    ...(before?.kind === 'file' && { revision: before.revision }),
  });
  const problem = outcome.kind === 'refused' ? outcome.message : outcome.result.value.errors[0]?.message;
  if (problem !== undefined) throw new Error(`${showPath(path)}: ${problem}`);
  return showPath(path);
}

/** Null when a model has had enough for now. */
async function handOver(segment: Segment, parts: DrainParts): Promise<string | null> {
  const [first] = segment.parts;
  if (first === undefined) throw new Error('a segment has parts');
  const { keepsake, stateHome, clock } = parts;
  const project = await projectOf(segment, parts);
  const key = keyOf(segment.id);
  const now = clock();
  const filed = readFiled(stateHome).filter(({ at }) => now - at < 24 * hour);
  const isKnown = filed.some((each) => each.key === key);
  const isEnough =
    filed.length >= mostADay || filed.some((each) => each.project === project && now - each.at < hour);
  if (isEnough && !isKnown) return null;
  if (!isKnown)
    writeFileSync(filedFile(stateHome), JSON.stringify([...filed, { key, project, at: now }]), {
      mode: 0o600,
    });
  const records = [...Map.groupBy(segment.parts, ({ session }) => session).values()].map(recordOf);
  const place = first.remote ?? first.folder;
  const about = `A conversation of the person (quoted) with ${titleOf(first.client)} in ${place}${project === null ? '' : ` (project ${project})`}; keep decisions with their reasons, lasting facts, tasks and changes of state; most of it is not worth keeping.`;
  const { id } = await keepsake.accept(
    {
      text: `${about}\n\n${records.join('\n\n')}\n`,
      files: [],
      source: { kind: 'other', name: `${titleOf(first.client)} in ${place}` },
    },
    { key },
  );
  return id;
}

type Filed = { key: string; project: string | null; at: number };

function filedFile(stateHome: string): string {
  return join(spoolFolder(stateHome), 'filed.json');
}

function readFiled(stateHome: string): Filed[] {
  try {
    return JSON.parse(readFileSync(filedFile(stateHome), 'utf8')) as Filed[];
  } catch {
    return [];
  }
}
