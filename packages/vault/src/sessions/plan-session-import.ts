import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { Environment, Keepsake } from '../app/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import { normalizeRemoteUrl, readPlace, readSettings, resolveProjectLink } from '../hook/index.ts';
import type { SessionSettings } from '../hook/index.ts';
import type { FolderEntry } from '../vault/index.ts';
import { resolveProject } from './resolve-project.ts';
import { createSessionRecords } from './session-records.ts';
import type { SessionRecords } from './session-records.ts';
import { listOpenSessions, listSegments } from './spool.ts';
import { countWords, isWorthImporting, selectNewEvents, toEvents } from './transcript-events.ts';
import type { EventScope } from './transcript-events.ts';
import type { Transcript, TranscriptSource } from './transcripts/transcript.ts';
import { findExistingProject } from './write-notes.ts';

/** Why a session is not imported. */
export type SkipReason =
  | 'unattended'
  | 'subagent'
  | 'short'
  | 'excluded'
  | 'own'
  | 'recording'
  | 'older'
  | 'unreadable';

export type PlannedSession = { source: TranscriptSource; scope: EventScope; lastAt: number };

/** The sessions of one project. */
type PlannedProject = {
  /** Null for sessions without a project. */
  project: string | null;
  sessions: number;
  /** How many days they span. */
  days: number;
  /** Estimated from the start and the end of long sessions. */
  words: number;
  /** Sessions that are in the vault already; not part of the other numbers. */
  known: number;
};

export type SessionImportPlan = {
  projects: PlannedProject[];
  /** Folders that belong to no project, with the most sessions first. */
  folders: { folder: string; sessions: number }[];
  skipped: Partial<Record<SkipReason, number>>;
  /** The sessions to import, oldest first. */
  sessions: PlannedSession[];
};

export type PlanOptions = {
  keepsake: Pick<Keepsake, 'root' | 'contents' | 'layout' | 'state' | 'changes'>;
  environment: Environment;
  sources: readonly TranscriptSource[];
  /** Sessions that ended earlier are left out; in epoch milliseconds. */
  since: number | null;
  signal: AbortSignal;
  onProgress: (phase: 'reading', done: number, total: number) => void;
};

type Context = {
  settings: SessionSettings;
  contents: FolderEntry;
  layout: ReturnType<Keepsake['layout']>;
  root: string;
  records: SessionRecords;
  /** Sessions that wait in the spool, as `<client> <session>`. */
  recording: ReadonlySet<string>;
  ownFolders: string[];
  since: number | null;
};

type Inspected =
  | { kind: 'skipped'; reason: SkipReason }
  | { kind: 'known'; project: string | null }
  | { kind: 'new'; session: PlannedSession; days: string[]; words: number };

/** Reads only the start and the end of long transcripts if these are enough for a note, and writes nothing. */
export async function planSessionImport(options: PlanOptions): Promise<SessionImportPlan> {
  const { keepsake, environment, sources, since, signal, onProgress } = options;
  const context: Context = {
    settings: readSettings(environment.configurationHome),
    contents: await keepsake.contents(),
    layout: keepsake.layout(),
    root: keepsake.root,
    records: createSessionRecords(keepsake),
    recording: listRecording(environment.stateHome, keepsake.root),
    ownFolders: listOwnFolders(environment),
    since,
  };
  const inspected: Inspected[] = [];
  for (const [index, source] of sources.entries()) {
    signal.throwIfAborted();
    inspected.push(await inspect(source, context));
    onProgress('reading', index + 1, sources.length);
  }
  return summarize(inspected);
}

/** Keepsake runs models of AI clients in its state folder. Clients report their folder without symbolic links. */
function listOwnFolders({ stateHome, dataHome, configurationHome }: Environment): string[] {
  const folders = [stateHome, dataHome, configurationHome];
  return [
    ...folders,
    ...folders.filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder)),
  ];
}

function listRecording(stateHome: string, root: string): Set<string> {
  const waiting = listSegments(stateHome, root).flatMap(({ parts }) => parts);
  return new Set([
    ...listOpenSessions(stateHome, root).keys(),
    ...waiting.map(({ client, session }) => `${client} ${session}`),
  ]);
}

async function inspect(source: TranscriptSource, context: Context): Promise<Inspected> {
  const skipped = (reason: SkipReason): Inspected => ({ kind: 'skipped', reason });
  if (context.since !== null && source.modifiedAt < context.since) return skipped('older');
  try {
    const { transcript, readBytes, hasLastTurn } = source.sample();
    const isKnown = context.records.find(source.client, transcript.session) !== null;
    // The ends of a long transcript can consist of attachments only.
    const isEnough =
      readBytes >= source.bytes ||
      (transcript.folder !== null && transcript.turns.length > 0 && (hasLastTurn || !isKnown));
    const inspected = isEnough ? inspectTranscript(source, transcript, readBytes, context) : null;
    return (
      inspected ?? inspectTranscript(source, await source.read(), source.bytes, context) ?? skipped('short')
    );
  } catch {
    return skipped('unreadable');
  }
}

/** Null if the part that was read has too few new words, but the rest may have more. */
function inspectTranscript(
  source: TranscriptSource,
  transcript: Transcript,
  readBytes: number,
  context: Context,
): Inspected | null {
  const skipped = (reason: SkipReason): Inspected => ({ kind: 'skipped', reason });
  const { session, folder } = transcript;
  if (transcript.isSubagent) return skipped('subagent');
  const turns = selectAttended(transcript, context.settings);
  if (turns.length === 0) return skipped(transcript.turns.length === 0 ? 'short' : 'unattended');
  if (context.ownFolders.some((own) => folder === own || folder?.startsWith(`${own}${sep}`) === true))
    return skipped('own');
  const scope = resolveScope(transcript, context);
  if (scope === null) return skipped('excluded');
  if (context.recording.has(`${source.client} ${session}`)) return skipped('recording');
  const lastAt = Math.max(...turns.map(({ at }) => at));
  if (context.since !== null && lastAt < context.since) return skipped('older');
  const record = context.records.find(source.client, session);
  const events = selectNewEvents(toEvents(source.client, { ...transcript, turns }, scope), record);
  if (!isWorthImporting(events, record)) {
    if (readBytes < source.bytes && events.length > 0) return null;
    return record === null ? skipped('short') : { kind: 'known', project: scope.project };
  }
  return {
    kind: 'new',
    session: { source, scope, lastAt },
    days: events.map(({ at }) => formatLocalTime(at).slice(0, 10)),
    words: Math.round((countWords(events) * source.bytes) / Math.max(1, readBytes)),
  };
}

/** The turns of the user, and those of programs if the user wants them recorded. */
export function selectAttended(
  { turns }: Pick<Transcript, 'turns'>,
  { unattended }: Pick<SessionSettings, 'unattended'>,
): Transcript['turns'] {
  return turns.filter(({ isUnattended }) => unattended || !isUnattended);
}

/** Null if the user has excluded the folder. The folder may no longer exist. */
function resolveScope({ folder, remoteUrl }: Transcript, context: Context): EventScope | null {
  // An empty path would be the current folder.
  const place = readPlace(folder ?? sep);
  const remote = place.repository?.remote ?? (remoteUrl === null ? null : normalizeRemoteUrl(remoteUrl));
  const repository = place.repository ?? (remote === null ? null : { folder: place.folder, remote });
  const keys = remote === null ? place.keys : [...place.keys, remote];
  const linked = resolveProjectLink({ keys }, context.settings.links);
  if (linked.kind === 'none') return null;
  const found = resolveProject({ linked, place: { ...place, repository } }, context.contents, context.layout);
  const project = findExistingProject(found?.project ?? null, context.contents, context.layout);
  return {
    vault: context.root,
    folder: folder ?? '',
    remote,
    repository: place.repository?.folder ?? null,
    project,
  };
}

function summarize(inspected: readonly Inspected[]): SessionImportPlan {
  const skipped: SessionImportPlan['skipped'] = {};
  const projects = new Map<string | null, PlannedProject & { on: Set<string> }>();
  const folders = new Map<string, number>();
  const sessions: PlannedSession[] = [];
  const projectOf = (project: string | null): PlannedProject & { on: Set<string> } => {
    const found = projects.get(project) ?? {
      project,
      sessions: 0,
      days: 0,
      words: 0,
      known: 0,
      on: new Set<string>(),
    };
    projects.set(project, found);
    return found;
  };
  for (const each of inspected) {
    if (each.kind === 'skipped') skipped[each.reason] = (skipped[each.reason] ?? 0) + 1;
    if (each.kind === 'known') projectOf(each.project).known += 1;
    if (each.kind !== 'new') continue;
    const { scope } = each.session;
    const planned = projectOf(scope.project);
    planned.sessions += 1;
    planned.words += each.words;
    for (const day of each.days) planned.on.add(day);
    if (scope.project === null) folders.set(scope.folder, (folders.get(scope.folder) ?? 0) + 1);
    sessions.push(each.session);
  }
  return {
    projects: [...projects.values()]
      .map(({ on, ...project }) => ({ ...project, days: on.size }))
      .toSorted((a, b) => b.sessions - a.sessions),
    folders: [...folders]
      .map(([folder, count]) => ({ folder, sessions: count }))
      .toSorted((a, b) => b.sessions - a.sessions),
    skipped,
    sessions: sessions.toSorted((a, b) => a.lastAt - b.lastAt),
  };
}
