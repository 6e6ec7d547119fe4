import { formatLocalTime } from '../contract/index.ts';
import type { Brief } from '../hook/index.ts';
import {
  childPath,
  escapeInvisible,
  eventDay,
  findFile,
  findFolder,
  formatPath,
  parseChangelog,
  profilePath,
} from '../vault/index.ts';
import type { FileRead, FolderEntry, Language, Layout, Today, VaultPath } from '../vault/index.ts';
import { briefWords, guessLanguage } from './brief-words.ts';
import type { BriefWords } from './brief-words.ts';
import { parseSessionNote, redactSession } from './last-session.ts';
import type { RecordedSession } from './last-session.ts';
import { describeLost } from './lost-events.ts';
import type { LostEvents } from './lost-events.ts';
import { collectProjectTasks, quoteTasks } from './project-tasks.ts';
import { cutAtLine, estimateTokens, fitWithin, quoteLines, quoteStart, quoteWords } from './quote.ts';
import { listRecentSessions } from './session-notes.ts';
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
  /** Why the session starts, as reported by the client. */
  source: string;
  /** Events that hooks could not record. */
  lost: LostEvents;
  /** Sessions of the project that have no note. */
  sessions: readonly RecordedSession[];
  /** The number of updates that a client can file. */
  waitingUpdates: number;
  /** Whether the tools of the agents exist. */
  hasAgents: boolean;
  /** Used if the notes do not tell their language. */
  language: Language;
  now: number;
};

/** Maximum tokens of the brief and of each part: far below the limits at which clients truncate. */
const maxTokens = {
  all: 1_200,
  leftOff: 350,
  tasks: 250,
  decisions: 150,
  state: 250,
  profile: 100,
  overview: 400,
  today: 200,
};
const maxItems = { tasks: 5, decisions: 5, days: 30, today: 5, notes: 10 };
const maxCharacters = { prompt: 200, answer: 400, title: 60 };
/** Clients keep only the start of a longer text. Some of them count bytes. */
const maxBytes = 9_500;

/**
 * Creates the brief for the start of a session: lines quoted from the vault with their numbers and the end of the last session, selected
 * without a model. Null if there is nothing to say, and for a resumed session, which already has a brief.
 */
export async function createBrief(vault: BriefSource, options: BriefOptions): Promise<Brief | null> {
  const { project, source } = options;
  if (source === 'resume' || source === 'fork') return null;
  const notes = await readNotes(vault, project);
  const { profile, overview, main, layout } = notes;
  const words = briefWords[guessLanguage([profile, overview, main?.text ?? null], options.language)];
  const isCompact = source === 'compact';
  if (isCompact && !notes.isProject) return null;
  const last = await findLastSession(vault, notes, options);
  const today = await vault.today();
  const tasks = collectProjectTasks(notes.tasks, today, (path) => notes.isInProject(path));
  const projectParts = notes.isProject
    ? [
        isCompact || last === null ? null : quoteLastSession(last, options.now, words),
        quoteTasks(tasks, maxItems.tasks, maxTokens.tasks, words.nextTasks),
        quoteDecisions(notes.changelog, last, options.now, words),
        main === null ? null : quoteStart(main.path, main.text, maxTokens.state),
      ]
    : [quoteStart(layout.overviewPath, overview, maxTokens.overview)];
  const lost = describeLost(options.lost);
  const parts = [
    ...(isCompact || lost === null ? [] : [words.lost(lost)]),
    ...projectParts,
    ...(isCompact
      ? []
      : [
          quoteStart(profilePath, profile, maxTokens.profile, { prefersStyle: true }),
          await formatPending(vault, notes, options, words),
          formatToday(today, (path) => notes.isInProject(path), words),
        ]),
  ]
    .filter((part) => part !== null)
    .filter((part) => part !== '');
  if (parts.length === 0) return null;
  const header = `${words.header(notes.isProject ? safe(project) : null, safe(options.matchedKey))}\n`;
  const foot = words.foot([
    'vault_search',
    'vault_read',
    ...(options.hasAgents ? ['memory_search', 'memory_update'] : ['vault_append']),
  ]);
  const room = maxTokens.all - estimateTokens(`\n${foot}`);
  const body = cutAtLine(fitWithin([header, ...parts], room), maxBytes - Buffer.byteLength(foot) - 1);
  const days =
    last === null ? 0 : daysBetween(last.at.slice(0, 10), formatLocalTime(options.now).slice(0, 10));
  const title = last === null ? '' : truncateText(escapeInvisible(last.title), maxCharacters.title);
  return {
    text: `${body}\n${foot}`,
    message:
      isCompact || project === null || !notes.isProject
        ? null
        : words.message(escapeInvisible(project), last === null ? null : { days, title }, tasks.length),
  };
}

function safe(text: string | null): string | null {
  return text === null ? null : escapeInvisible(text);
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

/** The session of the project that ended last, with or without a note. */
async function findLastSession(
  vault: BriefSource,
  { contents, layout }: BriefNotes,
  { project, sessions }: BriefOptions,
): Promise<RecordedSession | null> {
  if (project === null) return null;
  // Who hides the notes of sessions from models hides their words.
  const isHidden = vault.isHidden(childPath(layout.sessionsFolder(project), 'any.md'));
  const found = isHidden ? [] : [...sessions];
  for (const path of listRecentSessions(contents, layout, project, 3)) {
    const file = await vault.readFile(path);
    const session = file.kind === 'file' ? parseSessionNote(path, file.bytes.toString()) : null;
    if (session !== null) found.push(session);
  }
  const [last] = found.toSorted((a, b) => b.at.localeCompare(a.at));
  return last === undefined ? null : redactSession(last);
}

function quoteLastSession(session: RecordedSession, now: number, words: BriefWords): string {
  const { at, client, branch, path, lastPrompt, lastAnswer, isAnswered } = session;
  const day = at.slice(0, 10);
  const ago = words.daysAgo(daysBetween(day, formatLocalTime(now).slice(0, 10)));
  const facts = [
    `${day} (${ago})`,
    escapeInvisible(client),
    ...(branch === null ? [] : [words.branch(truncateText(escapeInvisible(branch), maxCharacters.title))]),
    ...(path === null ? [] : [path]),
  ];
  const prompt = lastPrompt.replaceAll(/\s+/g, ' ').trim();
  const answer = closingLines(lastAnswer, maxCharacters.answer);
  const lines = [
    words.leftOff(facts),
    ...(prompt === ''
      ? []
      : [
          isAnswered ? words.lastPrompt : words.openPrompt,
          quoteWords(truncateText(prompt, maxCharacters.prompt)),
        ]),
    ...(answer === '' ? [] : [words.lastAnswer, quoteWords(answer)]),
  ];
  return fitWithin(lines, maxTokens.leftOff).trimEnd();
}

/** The last lines of a text; of a longer last line its end. */
function closingLines(text: string, maxLength: number): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const kept: string[] = [];
  for (const line of lines.toReversed()) {
    if (kept.join('\n').length + line.length >= maxLength) break;
    kept.unshift(line);
  }
  if (kept.length > 0 || lines.length === 0) return kept.join('\n');
  const characters = [...new Intl.Segmenter().segment(lines.at(-1) ?? '')].map(({ segment }) => segment);
  let end = '';
  for (const character of characters.toReversed()) {
    if (end.length + character.length >= maxLength) break;
    end = character + end;
  }
  return `…${end}`;
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

const isDecision = (heading: string): boolean =>
  /\[(decision|décision)\]|^(decision|décision)\b/i.test(heading.normalize('NFC'));

/** The decisions that were filed since the last session; without any, those of the last 30 days. */
function quoteDecisions(
  changelog: Note | null,
  last: RecordedSession | null,
  now: number,
  words: BriefWords,
): string | null {
  if (changelog === null) return null;
  const recent = formatLocalTime(now - maxItems.days * 86_400_000).slice(0, 10);
  const since = last?.at.slice(0, 10) ?? null;
  const decisions = parseChangelog(changelog.text)
    .filter(({ heading }) => isDecision(heading))
    .map((entry) => ({ ...entry, date: eventDay(entry) ?? '' }))
    .toSorted((a, b) => b.date.localeCompare(a.date));
  const isNew = ({ day }: { day: string | null }): boolean => since !== null && (day ?? '') >= since;
  const hasNew = decisions.some(isNew);
  const lines = decisions
    .filter((entry) => (hasNew ? isNew(entry) : entry.date >= recent))
    .slice(0, maxItems.decisions)
    .map(({ date, from, heading, lines: { start } }) => ({
      line: `${date} ${heading}${from === null ? '' : ` ${words.from(from)}`}`,
      number: start,
    }));
  const label = hasNew && since !== null ? words.decidedSince(since) : words.recentDecisions;
  return quoteLines(`${formatPath(changelog.path)}, ${label}`, lines, maxTokens.decisions);
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
  return fitWithin([head, ...lines], maxTokens.today).trimEnd();
}

async function formatPending(
  vault: BriefSource,
  { contents, layout }: BriefNotes,
  { project, waitingUpdates }: BriefOptions,
  words: BriefWords,
): Promise<string> {
  const paths = project === null ? [] : listRecentSessions(contents, layout, project, maxItems.notes);
  let unfiled = 0;
  for (const path of paths) {
    const file = await vault.readFile(path);
    if (file.kind === 'file' && /^filed: false$/m.test(file.bytes.subarray(0, 2_000).toString()))
      unfiled += 1;
  }
  const questions = layout.listOpenItems(contents).length;
  return words.pending(unfiled, unfiled === maxItems.notes, questions, waitingUpdates);
}
