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

/** What became of segments: notes that were written, updates that were handed over, what was too little, what waits. */
export type Drained = { notes: string[]; updates: string[]; dropped: number; waiting: number };

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
  const drained: Drained = { notes: [], updates: [], dropped: 0, waiting: 0 };
  const worth = segmentsOf(stateHome, keepsake.root).filter((segment) => {
    if (lengthOf(segment.parts) >= least) return true;
    drained.dropped += 1;
    removeSegment(stateHome, segment);
    return false;
  });
  for (const segment of parts.hasModel() ? joined(worth, stateHome) : worth) {
    if (!parts.hasModel()) drained.notes.push(await writeNote(segment, parts));
    else {
      const id = await handOver(segment, parts);
      if (id === null) {
        drained.waiting += 1;
        continue;
      }
      drained.updates.push(id);
    }
    removeSegment(stateHome, segment);
  }
  return drained;
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
  const name = `${day}-${time.replace(':', '')}-${first.client}-${segment.id.slice(0, 8)}.md`;
  const fields = {
    source: titleOf(first.client),
    session: first.session,
    folder: first.folder,
    ...(first.remote !== null && { remote: first.remote }),
    filed: false,
  };
  const frontmatter = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const content = `---\n${frontmatter.join('\n')}\n---\n\n# Session ${day} ${time}, ${titleOf(first.client)}\n\n${recordOf(segment.parts)}\n`;
  const path = showPath(childPath(folder, name));
  const outcome = await keepsake.forModels.callTool({
    tool: 'write',
    input: { path, content },
    reader: 'model',
    origin: 'capture',
    id: segment.id,
  });
  const problem = outcome.kind === 'refused' ? outcome.message : outcome.result.value.errors[0]?.message;
  if (problem !== undefined) throw new Error(`${path}: ${problem}`);
  return path;
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
