import { createHash } from 'node:crypto';
import type { Keepsake } from '../app/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import type { SessionEvent } from '../hook/index.ts';
import {
  childPath,
  decodeText,
  findFile,
  findFolder,
  findFrontmatter,
  formatPath,
  parseVaultPath,
  setTimes,
  VaultError,
} from '../vault/index.ts';
import type { FolderEntry, Layout, VaultPath } from '../vault/index.ts';
import type { SessionRecord, SessionRecords } from './session-records.ts';
import { formatSegments, formatSession, getClientTitle, getSessionEnd } from './transcript.ts';

/** What capture and import of sessions use of a vault. */
export type SessionVault = Pick<
  Keepsake,
  | 'root'
  | 'contents'
  | 'layout'
  | 'accept'
  | 'agents'
  | 'readFile'
  | 'writeRun'
  | 'restricted'
  | 'changes'
  | 'state'
>;

/** The events of one session that go into its note. Each segment has at least one event and is shortened on its own. */
export type SessionSegments = SessionEvent[][];

type NoteWriter = {
  keepsake: Pick<Keepsake, 'contents' | 'layout' | 'changes' | 'readFile' | 'writeRun' | 'restricted'>;
  records: SessionRecords;
  /** Capture does not write files that are hidden from AI; an import is a command of the user and does. */
  origin: 'capture' | 'import';
};

const maxAttempts = 3;

/**
 * Writes the notes of sessions in one change with this id. A session that has a note already continues in it. Returns
 * the paths in the order of the sessions; if the change exists already, the paths that it wrote.
 */
export async function writeSessionNotes(
  sessions: readonly SessionSegments[],
  id: string,
  writer: NoteWriter,
): Promise<VaultPath[]> {
  const { keepsake, records, origin } = writer;
  const [vault, reader] =
    origin === 'capture' ? ([keepsake.restricted, 'model'] as const) : ([keepsake, 'person'] as const);
  for (let attempt = 1; ; attempt += 1) {
    const done = keepsake.changes.find(id)?.entry;
    if (done?.id === id && done.state !== 'reverted')
      return records.listByChange(id).map(({ target }) => target as VaultPath);
    const contents = await keepsake.contents();
    const { transaction } = vault.writeRun(reader, 'capture');
    const paths: VaultPath[] = [];
    for (const session of sessions) {
      const path = findNotePath(session, contents, writer);
      const read = await vault.readFile(path);
      const staged =
        read.kind === 'file'
          ? transaction.write(path, read.bytes, Buffer.from(continueNote(path, read.bytes, session)))
          : transaction.create(path, Buffer.from(formatNote(session)));
      if (!staged.ok) throw new Error(`${formatPath(path)}: ${staged.reason}`);
      paths.push(path);
    }
    records.record(
      id,
      sessions.map((session, index) => toRecord(session, paths[index] ?? '')),
    );
    const summary =
      paths.length === 1 ? `session note ${paths.map(formatPath).join()}` : `${paths.length} session notes`;
    try {
      const outcome = await transaction.commit({ id, origin, summary });
      if (outcome.kind !== 'conflict') return paths;
      if (attempt === maxAttempts)
        throw new Error(`${outcome.files.map(({ path }) => formatPath(path)).join(', ')}: changed meanwhile`);
    } catch (error) {
      // Another process wrote the same segment; its records are those of this change.
      if (!(error instanceof VaultError) || error.code !== 'made-already' || attempt === maxAttempts)
        throw error;
    }
  }
}

export function toRecord(segments: SessionSegments, target: string): Omit<SessionRecord, 'change'> {
  const { client, session } = firstEvent(segments);
  const spoken = segments.flat().filter(({ event }) => event !== 'session-end');
  const last = spoken.at(-1) ?? firstEvent(segments);
  const at = spoken.reduce((latest, event) => Math.max(latest, event.at), last.at);
  return { client, session, lastTurn: last.key, at, became: 'note', target };
}

function firstEvent(segments: SessionSegments): SessionEvent {
  const [first] = segments.flat();
  if (first === undefined) throw new Error('a segment must contain at least one event');
  return first;
}

/** The project of an event, if the vault has it. */
export function findExistingProject(
  project: string | null,
  contents: FolderEntry,
  { projectsPath }: Layout,
): string | null {
  const projects = findFolder(contents, projectsPath)?.folders;
  return project !== null && projects?.has(project) === true ? project : null;
}

/** The note that the session was recorded in, wherever its project is now; otherwise one in the folder of its project. */
function findNotePath(
  segments: SessionSegments,
  contents: FolderEntry,
  { keepsake, records }: NoteWriter,
): VaultPath {
  const { client, session, project, at } = firstEvent(segments);
  const record = records.find(client, session);
  const recorded = record?.became === 'note' ? parseVaultPath(record.target) : null;
  if (recorded?.ok === true && findFile(contents, recorded.path) !== undefined) return recorded.path;
  const layout = keepsake.layout();
  const folder = layout.sessionsFolder(findExistingProject(project, contents, layout));
  const ending = `-${client}-${createHash('sha256').update(session).digest('hex').slice(0, 8)}.md`;
  const existing = [...(findFolder(contents, folder)?.files.keys() ?? [])].find((name) =>
    name.endsWith(ending),
  );
  const start = formatLocalTime(at);
  return childPath(
    folder,
    existing ?? `${start.slice(0, 10)}-${start.slice(11, 16).replace(':', '')}${ending}`,
  );
}

function formatNote(segments: SessionSegments): string {
  const first = firstEvent(segments);
  const ended = getSessionEnd(segments.flat());
  const fields = {
    source: getClientTitle(first.client),
    session: first.session,
    folder: first.folder,
    ...(first.remote !== null && { remote: first.remote }),
    // Without a remote, its folder names a repository, and worktrees have others.
    ...(first.remote === null && first.repository != null && { repository: first.repository }),
    ...(first.branch != null && { branch: first.branch }),
    ended,
    filed: false,
  };
  const frontmatter = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const text = `---\n${frontmatter.join('\n')}\n---\n\n${formatSession(segments)}\n`;
  const stamped = setTimes(text, { created: formatLocalTime(first.at), updated: ended });
  return stamped.ok ? stamped.text : text;
}

/** The note of a session that continues counts as not filed. Its words stay as they are. */
function continueNote(path: VaultPath, before: Buffer, segments: SessionSegments): string {
  const decoded = decodeText(before);
  if (decoded.kind !== 'text') throw new Error(`${formatPath(path)} is ${decoded.description}, not text`);
  const { text } = decoded;
  const bodyStart = findFrontmatter(text)?.bodyStart ?? 0;
  const head = text
    .slice(0, bodyStart)
    .replace(/^filed: true$/m, 'filed: false')
    .replace(/^ended: .*$/m, `ended: ${JSON.stringify(getSessionEnd(segments.flat()))}`);
  return `${head}${text.slice(bodyStart).trimEnd()}\n\n${formatSegments(segments)}\n`;
}
