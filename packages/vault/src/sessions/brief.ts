import { formatLocalTime } from '../contract/index.ts';
import type { Brief, Repository } from '../hook/index.ts';
import { getRepositoryName } from '../hook/index.ts';
import { childPath, escapeInvisible, findFile, findFolder, formatPath, profilePath } from '../vault/index.ts';
import type { FileRead, FolderEntry, Language, Layout, Today, VaultPath } from '../vault/index.ts';
import { briefWords, guessLanguage } from './brief-words.ts';
import type { BriefWords } from './brief-words.ts';
import { estimateTokens, fitWithin } from './estimate-tokens.ts';
import { fillParts, fixedPart } from './fill-parts.ts';
import type { Part } from './fill-parts.ts';
import { describeLost } from './lost-events.ts';
import type { LostEvents } from './lost-events.ts';
import { collectProjectTasks, quoteTasks } from './project-tasks.ts';
import { quoteDecisions } from './quote-decisions.ts';
import { quoteStart } from './quote-note.ts';
import { daysBetween, quoteSessions } from './quote-sessions.ts';
import { parseSessionNote } from './recorded-session.ts';
import type { RecordedSession } from './recorded-session.ts';
import { selectSpeeches } from './select-speeches.ts';
import { listSessionNotes, selectLatestEnds } from './session-notes.ts';
import { truncateText } from './transcript.ts';

/** A vault as a model sees it, without hidden files. */
export type BriefSource = {
  readFile(path: VaultPath): Promise<FileRead>;
  contents(): Promise<FolderEntry>;
  layout: () => Layout;
  today(): Promise<Today>;
  /** Whether a path would be hidden. */
  isHidden(path: VaultPath): boolean;
};

export type BriefOptions = {
  project: string | null;
  /** The link or name by which the folder belongs to the project. */
  matchedKey: string | null;
  /** The git repository of the folder. */
  repository: Repository | null;
  /** The command that lets the sessions of the repository be recorded; null if they are, or if the user wants none recorded. */
  linkOffer: { command: string; isNew: boolean } | null;
  /** Why the session starts, as reported by the client. */
  source: string;
  /** Events that hooks could not record. */
  lost: LostEvents;
  /** Sessions of the project or the repository that have no note. */
  sessions: readonly RecordedSession[];
  /** The number of updates that a client can file. */
  waitingUpdates: number;
  /** Whether the tools of the agents exist. */
  hasAgents: boolean;
  /** Used if the notes do not tell their language. */
  language: Language;
  now: number;
};

const maxTokens = 1_200;
/** The tokens of each part, and what it can have if others need less. */
const tokensOf = {
  sessions: { tokens: 350, maxTokens },
  tasks: { tokens: 250, maxTokens: 250 },
  decisions: { tokens: 150, maxTokens: 400 },
  state: { tokens: 250, maxTokens },
  profile: { tokens: 100, maxTokens: 200 },
  overview: { tokens: 400, maxTokens: 400 },
};
const maxTodayTokens = 200;
/** `scanned` are the notes of sessions, newest by start and newest by change, among which the last ones are looked for. */
const maxItems = { sessions: 3, scanned: 20, today: 5, notes: 10 };
const maxTitleLength = 60;

/**
 * Creates the brief for the start of a session: lines quoted from the vault with their numbers and the words of the last sessions, selected
 * without a model. Null for a resumed session, which already has a brief, and after a compaction outside of projects.
 */
export async function createBrief(vault: BriefSource, options: BriefOptions): Promise<Brief | null> {
  const { project, source, now } = options;
  const isCompact = source === 'compact';
  if (source === 'resume' || source === 'fork') return null;
  const notes = await readNotes(vault, project);
  if (isCompact && !notes.isProject) return null;
  const { profile, overview, main } = notes;
  const words = briefWords[guessLanguage([profile, overview, main?.text ?? null], options.language)];
  const sessions = isCompact ? [] : selectSpeeches(await findLastSessions(vault, notes, options));
  const today = await vault.today();
  const tasks = collectProjectTasks(notes.tasks, today, (path) => notes.isInProject(path));
  const lost = describeLost(options.lost);
  const parts: Part[] = [
    fixedPart(isCompact || lost === null ? null : words.lost(lost)),
    { ...tokensOf.sessions, quote: quoteSessions(sessions, now, words) },
    { ...tokensOf.tasks, quote: (tokens) => quoteTasks(tasks, tokens, words.nextTasks) },
    ...quoteNotes(notes, today, words),
    ...(isCompact
      ? []
      : [
          {
            ...tokensOf.profile,
            quote: quoteStart(profilePath, profile, words.more, { prefersStyle: true }),
          },
          fixedPart(await formatPending(vault, notes, options, words)),
          fixedPart(formatToday(today, (path) => notes.isInProject(path), words)),
        ]),
  ];
  const foot = words.foot([
    'vault_search',
    'vault_read',
    ...(options.hasAgents ? ['memory_search', 'memory_update'] : ['vault_append']),
  ]);
  const place = describePlace(notes, options, words);
  const body = fillParts(parts, maxTokens - estimateTokens(`${words.header} ${place}\n\n\n${foot}`));
  if (isCompact && body.length === 0) return null;
  return {
    text:
      body.length === 0
        ? `${words.nothingYet} ${place} ${foot}`
        : [`${words.header} ${place}\n`, ...body, `\n${foot}`].join('\n'),
    message: isCompact ? null : formatMessage({ notes, sessions, tasks }, options, words),
  };
}

const quoteNothing: Part['quote'] = () => null;

/** The notes of the project; outside of projects the overview. */
function quoteNotes({ isProject, ...notes }: BriefNotes, today: Today, words: BriefWords): Part[] {
  const { changelog, main, overview, layout } = notes;
  if (!isProject)
    return [{ ...tokensOf.overview, quote: quoteStart(layout.overviewPath, overview, words.more) }];
  return [
    {
      ...tokensOf.decisions,
      quote: changelog === null ? quoteNothing : quoteDecisions(changelog, today.day, words),
    },
    {
      ...tokensOf.state,
      quote: main === null ? quoteNothing : quoteStart(main.path, main.text, words.more),
    },
  ];
}

/** Whose folder it is, and whether its sessions are recorded. */
function describePlace(
  { isProject }: BriefNotes,
  { project, matchedKey, repository, linkOffer }: BriefOptions,
  words: BriefWords,
): string {
  const place =
    isProject && project !== null
      ? words.inProject(escapeInvisible(project), matchedKey === null ? null : escapeInvisible(matchedKey))
      : repository === null
        ? words.inNoProject
        : words.inRepository(escapeInvisible(repository.remote ?? getRepositoryName(repository)));
  return linkOffer === null ? place : `${place} ${words.notRecorded(escapeInvisible(linkOffer.command))}`;
}

/** The line for the user: where they are, and once per repository how to have its sessions recorded. */
function formatMessage(
  {
    notes: { isProject },
    sessions: [last],
    tasks,
  }: { notes: BriefNotes; sessions: readonly RecordedSession[]; tasks: readonly unknown[] },
  { project, repository, linkOffer, now }: BriefOptions,
  words: BriefWords,
): string | null {
  const name = isProject ? project : repository === null ? null : getRepositoryName(repository);
  const offered = linkOffer?.isNew === true ? linkOffer.command : null;
  if (name === null || (!isProject && last === undefined && offered === null)) return null;
  const days = last === undefined ? 0 : daysBetween(last.at.slice(0, 10), formatLocalTime(now).slice(0, 10));
  return words.message(escapeInvisible(name), {
    last: last && { days, title: truncateText(escapeInvisible(last.title), maxTitleLength) },
    openTasks: isProject ? tasks.length : null,
    linkCommand: offered,
  });
}

type Note = { path: VaultPath; text: string };

type BriefNotes = {
  contents: FolderEntry;
  layout: Layout;
  profile: string | null;
  overview: string | null;
  /** Whether the project exists. */
  isProject: boolean;
  isInProject: (path: VaultPath) => boolean;
  /** The note with the state of the project. */
  main: Note | null;
  tasks: (Note & { isTaskList: boolean }) | null;
  changelog: Note | null;
};

/**
 * Reads the notes that a brief quotes. A project is a folder or, in a vault with its own forms, one note; without `state.md`, its main note
 * has the name of the project or is its readme.
 */
async function readNotes(vault: BriefSource, project: string | null): Promise<BriefNotes> {
  const [contents, layout] = [await vault.contents(), vault.layout()];
  const read = async (path: VaultPath): Promise<Note | null> => {
    if (findFile(contents, path) === undefined) return null;
    const file = await vault.readFile(path);
    return file.kind === 'file' ? { path, text: file.bytes.toString() } : null;
  };
  const [profile, overview] = [await read(profilePath), await read(layout.overviewPath)];
  const shared = { contents, layout, profile: profile?.text ?? null, overview: overview?.text ?? null };
  const folder = project === null ? null : childPath(layout.projectsPath, project);
  const single = folder === null ? null : await read(`${folder}.md` as VaultPath);
  const files = folder === null ? undefined : findFolder(contents, folder)?.files;
  if (folder === null || (files === undefined && single === null))
    return {
      ...shared,
      isProject: false,
      isInProject: () => false,
      main: null,
      tasks: null,
      changelog: null,
    };
  const names = ['state.md', `${project}.md`, 'readme.md', 'index.md', 'description.md'];
  const found = names
    .map((name) => [...(files?.keys() ?? [])].find((each) => each.toLowerCase() === name.toLowerCase()))
    .find((name) => name !== undefined);
  const main = found === undefined ? single : await read(childPath(folder, found));
  const list = await read(childPath(folder, layout.names.tasks));
  return {
    ...shared,
    isProject: true,
    isInProject: (path) => path.startsWith(`${folder}/`) || path === single?.path,
    main,
    tasks: list !== null ? { ...list, isTaskList: true } : main && { ...main, isTaskList: false },
    changelog: await read(childPath(folder, layout.names.changelog)),
  };
}

/** The last sessions of the project, and those in its repository that were recorded for no project. */
async function findLastSessions(
  vault: BriefSource,
  { contents, layout }: BriefNotes,
  { project, repository, sessions }: BriefOptions,
): Promise<RecordedSession[]> {
  // Who hides the notes of sessions from models hides their words.
  const found = sessions.filter(
    (session) => !vault.isHidden(childPath(layout.sessionsFolder(session.project), 'any.md')),
  );
  const newest = (): RecordedSession[] => found.toSorted(compareEnds).slice(0, maxItems.sessions);
  const add = async (
    folder: string | null,
    filter: Parameters<typeof parseSessionNote>[2],
  ): Promise<void> => {
    const notes = listSessionNotes(contents, layout, folder);
    for (const { path, latestEnd } of selectLatestEnds(notes, maxItems.scanned)) {
      const oldest = newest()[maxItems.sessions - 1];
      if (oldest !== undefined && latestEnd < oldest.at) return;
      const file = await vault.readFile(path);
      const session = file.kind === 'file' ? parseSessionNote(path, file.bytes.toString(), filter) : null;
      if (session !== null) found.push(session);
    }
  };
  if (project !== null) await add(project, { project });
  if (repository !== null) await add(null, { repository });
  return newest();
}

/** Newest first, and those that ended at once by the names of their notes. `localeCompare` would take milliseconds to load its rules. */
function compareEnds(a: RecordedSession, b: RecordedSession): number {
  const [nameA, nameB] = [a.source ?? '', b.source ?? ''];
  return Number(b.at > a.at) - Number(b.at < a.at) || Number(nameB > nameA) - Number(nameB < nameA);
}

/** The most urgent tasks of the rest of the vault, with the numbers of the others. */
function formatToday(
  today: Today,
  isInProject: (path: VaultPath) => boolean,
  words: BriefWords,
): string | null {
  const { day, overdue, due, waiting } = today;
  const appointments = today.appointments.filter(({ when }) => when?.day === day);
  const urgent = [...appointments, ...due, ...overdue];
  if (urgent.length === 0 && waiting.length === 0) return null;
  const head = words.today(day, {
    overdue: overdue.length,
    due: due.length,
    appointments: appointments.length,
    waiting: waiting.length,
  });
  const lines = urgent
    .filter(({ path }) => !isInProject(path))
    .slice(0, maxItems.today)
    .map(({ path, lineNumber, title, when }) => {
      const date = [when?.day, when?.time].filter((part) => part != null).join(' ');
      return `${date} ${escapeInvisible(title)} (${formatPath(path)}:${lineNumber})`;
    });
  return fitWithin([head, ...lines], maxTodayTokens).trimEnd();
}

async function formatPending(
  vault: BriefSource,
  { contents, layout }: BriefNotes,
  { project, waitingUpdates }: BriefOptions,
  words: BriefWords,
): Promise<string | null> {
  const notes = project === null ? [] : listSessionNotes(contents, layout, project);
  let unfiled = 0;
  for (const { path } of notes.slice(0, maxItems.notes)) {
    const file = await vault.readFile(path);
    if (file.kind === 'file' && /^filed: false$/m.test(file.bytes.subarray(0, 2_000).toString()))
      unfiled += 1;
  }
  const questions = layout.listOpenItems(contents).length;
  return words.pending(unfiled, unfiled === maxItems.notes, questions, waitingUpdates);
}
