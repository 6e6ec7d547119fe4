/*
 * All file and folder names with a meaning in a vault. No other file contains these names. A vault can customize six of them
 * (`LayoutNames`); the others are the same everywhere.
 */
import type { FolderEntry } from './file-record.ts';
import { findFolder } from './find-entry.ts';
import { fileKindOf, isDocumentName } from './file-kind.ts';
import { childPath, baseName, parentPath, pathSegments, rootPath } from './path.ts';
import type { VaultPath } from './path.ts';

export const profilePath = childPath(rootPath, 'profile.md');
/** Generated from the files; only Keepsake writes it. */
export const treePath = childPath(rootPath, 'tree.md');

export const bucketPath = childPath(rootPath, 'bucket');

/** The files of an inbox item: the question to the user, and the text it is about. */
export const reviewName = 'review.md';
export const originalName = 'original.md';
/** The name of every inbox item about a note that is hidden from models, between its day and its hash. */
export const hiddenItemName = 'hidden-from-ai';

/**
 * The names of the overview, the changelog, the task list, the folders of projects and of pages for people, and the inbox.
 * Projects use the same names for their changelog and task list.
 */
export type LayoutNames = {
  overview: string;
  changelog: string;
  tasks: string;
  projects: string;
  people: string;
  inbox: string;
};

export const defaultNames: LayoutNames = {
  overview: 'overview.md',
  changelog: 'changelog.md',
  tasks: 'tasks.md',
  projects: 'projects',
  people: 'people',
  inbox: 'inbox',
};

/** The roles of files in one vault. */
export type Layout = {
  names: LayoutNames;
  /** Why the custom names are invalid, in which case the defaults are used; null if they are valid. */
  problem: string | null;
  overviewPath: VaultPath;
  changelogPath: VaultPath;
  projectsPath: VaultPath;
  /** The folder of pages for people, which need not exist; see `findPeople`. */
  peoplePath: VaultPath;
  inboxPath: VaultPath;
  /** Whether the folder contained notes before it became a vault: agents follow the forms of those notes. */
  isAdopted: boolean;
  /** Whether code creates this file when it is missing; in an adopted folder only if the user has chosen its name. */
  createsMissing: (role: 'overview' | 'changelog') => boolean;
  /** Whether a file or folder is part of every vault. Ignores case, as some file systems do. */
  isBuiltIn: (path: VaultPath) => boolean;
  isOverview: (path: VaultPath) => boolean;
  /** A changelog of the vault or of a project: an H1 per day, an H2 per entry, newest first. */
  isChangelog: (path: VaultPath) => boolean;
  /** The task list of the vault or of a project: an H1 per open task. */
  isTaskList: (path: VaultPath) => boolean;
  /** The project that contains a file or folder; null if none does. */
  projectOf: (path: VaultPath) => string | null;
  /** Whether a path is in the bucket of the vault or of a project. Other folders of that name are ordinary folders. */
  isInBucket: (path: VaultPath) => boolean;
  /** The bucket for raw material of a note: that of its project, or that of the vault. */
  bucketFor: (note: VaultPath) => VaultPath;
  /** The folder for the notes of recorded sessions of a project, or of sessions without a project. */
  sessionsFolder: (project: string | null) => VaultPath;
  /** Whether a path is in such a folder. */
  isSessionNote: (path: VaultPath) => boolean;
  /** Whether the path may be a document (neither markdown nor an image): only in a bucket or in an inbox item. */
  allowsDocument: (path: VaultPath) => boolean;
  /**
   * Whether search covers the path: all markdown and images except overview, profile and tree, which are always in a model's
   * context, and the inbox, which is temporary.
   */
  isSearchable: (path: VaultPath) => boolean;
  /** Whether search covers the text of a document, such as a PDF. */
  isSearchableDocument: (path: VaultPath) => boolean;
  /** Whether a path is in the inbox. A folder that the user has chosen as inbox may also contain their own notes, outside of items. */
  isInInbox: (path: VaultPath) => boolean;
  /** The name of the inbox item if the file is its question; null for any other file. */
  questionItemName: (path: VaultPath) => string | null;
  /** The inbox items that wait for the user, by name: folders of the inbox that contain a question. */
  listOpenItems: (contents: FolderEntry) => [string, FolderEntry][];
  /** Replaces the default file names in one of our texts with the names this vault uses. */
  substituteNames: (text: string) => string;
};

/** Creates a layout from names that `parseLayout` has validated. */
export function createLayout(
  names: LayoutNames,
  { problem = null, isAdopted = false }: Partial<Pick<Layout, 'problem' | 'isAdopted'>> = {},
): Layout {
  const overviewPath = childPath(rootPath, names.overview);
  const changelogPath = childPath(rootPath, names.changelog);
  const projectsPath = childPath(rootPath, names.projects);
  const inboxPath = childPath(rootPath, names.inbox);
  const files = [overviewPath, treePath, profilePath, childPath(rootPath, names.tasks), changelogPath];
  const fixed = new Set([...files, projectsPath, bucketPath, inboxPath].map(toLowerCasePath));
  const projectOf = (path: VaultPath): string | null => {
    const [folder, project, ...below] = pathSegments(path);
    return folder === names.projects && below.length > 0 ? (project ?? null) : null;
  };
  const isChosenInbox = names.inbox !== defaultNames.inbox;
  const isInInbox = (path: VaultPath): boolean => {
    const [folder, item = '', ...below] = pathSegments(path);
    return (
      folder === names.inbox && item !== '' && (!isChosenInbox || (below.length > 0 && itemName.test(item)))
    );
  };
  const bucketFor = (note: VaultPath): VaultPath => {
    const project = projectOf(note);
    return childPath(project === null ? rootPath : childPath(projectsPath, project), 'bucket');
  };
  const sessionsFolder = (project: string | null): VaultPath =>
    childPath(
      project === null ? bucketPath : childPath(childPath(projectsPath, project), 'bucket'),
      'sessions',
    );
  const isInBucket = (path: VaultPath): boolean =>
    isBelow(path, bucketPath) || isBelow(path, bucketFor(path));
  return {
    names,
    problem,
    overviewPath,
    changelogPath,
    projectsPath,
    peoplePath: childPath(rootPath, names.people),
    inboxPath,
    isAdopted,
    createsMissing: (role) => !isAdopted || names[role] !== defaultNames[role],
    isBuiltIn: (path) => path === rootPath || fixed.has(toLowerCasePath(path)),
    isOverview: (path) => toLowerCasePath(path) === toLowerCasePath(overviewPath),
    isChangelog: (path) => baseName(path) === names.changelog,
    isTaskList: (path) => baseName(path) === names.tasks,
    projectOf,
    isInBucket,
    bucketFor,
    sessionsFolder,
    isSessionNote: (path) => isBelow(path, sessionsFolder(projectOf(path))),
    allowsDocument: (path) => isInBucket(path) || isBelow(parentPath(path), inboxPath),
    isSearchable(path) {
      if (fileKindOf(baseName(path)) === 'other' || isInInbox(path)) return false;
      return path !== overviewPath && path !== treePath && path !== profilePath;
    },
    isSearchableDocument: (path) => isDocumentName(baseName(path)) && !isInInbox(path),
    isInInbox,
    questionItemName(path) {
      const item = parentPath(path);
      const isQuestion = baseName(path) === reviewName && parentPath(item) === inboxPath;
      return isQuestion && isInInbox(path) ? baseName(item) : null;
    },
    listOpenItems: (contents) =>
      [...(findFolder(contents, inboxPath)?.folders ?? [])].filter(
        ([, item]) => item.files.has(reviewName) && isInInbox(childPath(item.path, reviewName)),
      ),
    substituteNames: (text) =>
      text.replaceAll(
        defaultNamePattern,
        (_, file: keyof LayoutNames | undefined, folder: keyof LayoutNames) => names[file ?? folder],
      ),
  };
}

/** Matches `vault/changelog.md` and `projects/`, but not the word `projects` alone. */
const defaultNamePattern = /\b(?:(overview|changelog|tasks)\.md\b|(projects|people|inbox)(?=\/))/g;

/** The name of an inbox item starts with the day. */
const itemName = /^\d{4}-\d{2}-\d{2}-/;

/** The layout of a vault without custom names. */
export const defaultLayout: Layout = createLayout(defaultNames);

export function isTreeFile(path: VaultPath): boolean {
  return toLowerCasePath(path) === treePath;
}

/** The folder in a bucket in which Claude Code keeps its own memory of a project. */
export const toolMemoryName = 'claude-memory';

/**
 * Whether a file belongs to the memory of an AI tool. The tool rewrites these files and obeys them, so Keepsake neither
 * stamps nor relinks them, and no agent writes them.
 */
export function isToolMemory(path: VaultPath): boolean {
  const names = pathSegments(toLowerCasePath(path));
  const at = names.indexOf(toolMemoryName);
  return at > 0 && at < names.length - 1 && names[at - 1] === baseName(bucketPath);
}

export function isProfileFile(path: VaultPath): boolean {
  return toLowerCasePath(path) === profilePath;
}

/** Names of files that other AI tools treat as instructions, in any folder. Hidden files are not part of a vault. */
const instructionNames: ReadonlySet<string> = new Set([
  'agent.md',
  'agents.md',
  'agents.override.md',
  'airules.md',
  'claude.md',
  'claude.local.md',
  'conventions.md',
  'copilot-instructions.md',
  'crush.md',
  'crush.local.md',
  'gemini.md',
  'iflow.md',
  'llms.txt',
  'llms-full.txt',
  'opencode.md',
  'opencode.local.md',
  'qwen.md',
  'replit.md',
  'skill.md',
  'warp.md',
]);
const instructionExtensions = ['.mdc', '.agent.md', '.chatmode.md', '.instructions.md', '.prompt.md'];

/**
 * Whether other AI tools treat the file as instructions. The name is normalized as on the most lenient file systems,
 * which ignore case, invisible characters, and trailing spaces and dots.
 */
export function isInstructionFile(path: VaultPath): boolean {
  const name = baseName(path)
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}|\p{Cc}|[\s.]+$/gu, '')
    .toUpperCase()
    .toLowerCase();
  return instructionNames.has(name) || instructionExtensions.some((ending) => name.endsWith(ending));
}

function isBelow(path: VaultPath, folder: VaultPath): boolean {
  return path.startsWith(`${folder}/`);
}

function toLowerCasePath(path: VaultPath): VaultPath {
  return path.toLowerCase() as VaultPath;
}
