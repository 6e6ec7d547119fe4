/*
 * Every name and place to which a vault gives a meaning. Who wants to know what a file is for asks here; nothing else
 * spells out these names. Four of them a vault may choose itself (`Layout`); the others are the same everywhere.
 */
import type { FolderEntry } from './entry.ts';
import { folderIn } from './folder-in.ts';
import { kindOf } from './kind.ts';
import { childPath, nameOf, parentPath, partsOf, rootPath } from './path.ts';
import type { VaultPath } from './path.ts';

export const profilePath = childPath(rootPath, 'profile.md');
/** Generated from the files; nobody else writes it. */
export const treePath = childPath(rootPath, 'tree.md');

export const inboxPath = childPath(rootPath, 'inbox');
export const bucketPath = childPath(rootPath, 'bucket');

/** In an inbox item, the question to the person, and the words it is about. */
export const reviewName = 'review.md';
export const originalName = 'original.md';

/** What the vault's own folder calls its map, its log, its tasks and the folder of its projects; a project calls its log and tasks the same. */
export type LayoutNames = { overview: string; changelog: string; tasks: string; projects: string };

export const usualNames: LayoutNames = {
  overview: 'overview.md',
  changelog: 'changelog.md',
  tasks: 'tasks.md',
  projects: 'projects',
};

/** What the files of one vault are for. */
export type Layout = {
  names: LayoutNames;
  /** Why the names that the vault has chosen do not count, so that these are the usual ones; null when nothing is wrong. */
  problem: string | null;
  overviewPath: VaultPath;
  changelogPath: VaultPath;
  projectsPath: VaultPath;
  /** Whether a file or folder is part of what every vault has. On some file systems upper and lower case are one. */
  isFixed: (path: VaultPath) => boolean;
  isOverview: (path: VaultPath) => boolean;
  /** A changelog, of the vault or of a project: an H1 for each day, an H2 for each entry, newest first. */
  isChangelog: (path: VaultPath) => boolean;
  /** Live tasks, of the vault or of a project: an H1 for each. */
  isTaskList: (path: VaultPath) => boolean;
  /** The project that a file or folder lies in; null for what lies in none. */
  projectOf: (path: VaultPath) => string | null;
  /** Whether something lies in the bucket of the vault or of a project. Another folder of that name is a folder like any. */
  isInBucket: (path: VaultPath) => boolean;
  /** Where raw material that belongs to a note goes: the bucket of its project, or that of the vault. */
  bucketFor: (note: VaultPath) => VaultPath;
  /** Whether a document, neither markdown nor an image, may lie there: in a bucket, or in an inbox item. */
  mayHoldDocument: (path: VaultPath) => boolean;
  /**
   * Overview, profile and tree are always in a model's context, the inbox is temporary; all other markdown is found, and
   * images.
   */
  isSearchable: (path: VaultPath) => boolean;
  /** Words of ours about a vault, which have the usual names in them, with the names of this one. */
  inWords: (text: string) => string;
};

/** Of names that `layoutFrom` has let through. */
export function createLayout(names: LayoutNames, problem: string | null = null): Layout {
  const overviewPath = childPath(rootPath, names.overview);
  const changelogPath = childPath(rootPath, names.changelog);
  const projectsPath = childPath(rootPath, names.projects);
  const files = [overviewPath, treePath, profilePath, childPath(rootPath, names.tasks), changelogPath];
  const fixed = new Set([...files, projectsPath, bucketPath, inboxPath].map(lowerCased));
  const projectOf = (path: VaultPath): string | null => {
    const [folder, project, ...below] = partsOf(path);
    return folder === names.projects && below.length > 0 ? (project ?? null) : null;
  };
  const bucketFor = (note: VaultPath): VaultPath => {
    const project = projectOf(note);
    return childPath(project === null ? rootPath : childPath(projectsPath, project), 'bucket');
  };
  const isInBucket = (path: VaultPath): boolean =>
    isBelow(path, bucketPath) || isBelow(path, bucketFor(path));
  return {
    names,
    problem,
    overviewPath,
    changelogPath,
    projectsPath,
    isFixed: (path) => path === rootPath || fixed.has(lowerCased(path)),
    isOverview: (path) => lowerCased(path) === lowerCased(overviewPath),
    isChangelog: (path) => nameOf(path) === names.changelog,
    isTaskList: (path) => nameOf(path) === names.tasks,
    projectOf,
    isInBucket,
    bucketFor,
    mayHoldDocument: (path) => isInBucket(path) || isBelow(parentPath(path), inboxPath),
    isSearchable(path) {
      if (kindOf(nameOf(path)) === 'other' || isInInbox(path)) return false;
      return path !== overviewPath && path !== treePath && path !== profilePath;
    },
    inWords: (text) =>
      text.replaceAll(usualInWords, (_, file: keyof LayoutNames | undefined) => names[file ?? 'projects']),
  };
}

/** `vault/changelog.md`, `projects/`; not the word alone. */
const usualInWords = /\b(?:(overview|changelog|tasks)\.md\b|projects(?=\/))/g;

/** Of a vault that has chosen no names. */
export const usualLayout: Layout = createLayout(usualNames);

export function isTree(path: VaultPath): boolean {
  return lowerCased(path) === treePath;
}

export function isProfile(path: VaultPath): boolean {
  return lowerCased(path) === profilePath;
}

/** Files that other tools take for instructions, wherever they lie. Hidden ones are not part of a vault. */
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
  'llms.txt',
  'llms-full.txt',
  'qwen.md',
  'replit.md',
  'skill.md',
  'warp.md',
]);
const instructionEndings = ['.mdc', '.agent.md', '.chatmode.md', '.instructions.md', '.prompt.md'];

/**
 * Whether another tool does as this file says as soon as it is there. A name counts as every file system reads it: some
 * know no case, some leave out signs that are not seen, or blanks and dots at the end.
 */
export function isInstructions(path: VaultPath): boolean {
  const name = nameOf(path)
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}|\p{Cc}|[\s.]+$/gu, '')
    .toUpperCase()
    .toLowerCase();
  return instructionNames.has(name) || instructionEndings.some((ending) => name.endsWith(ending));
}

export function isInInbox(path: VaultPath): boolean {
  return isBelow(path, inboxPath);
}

/** The inbox item whose question this file is; null for any other file. */
export function itemAskedIn(path: VaultPath): string | null {
  const item = parentPath(path);
  return nameOf(path) === reviewName && parentPath(item) === inboxPath ? nameOf(item) : null;
}

/** The items that wait for the person, by name: folders of the inbox with a question in them. */
export function openItems(contents: FolderEntry): [string, FolderEntry][] {
  return [...(folderIn(contents, inboxPath)?.folders ?? [])].filter(([, { files }]) => files.has(reviewName));
}

function isBelow(path: VaultPath, folder: VaultPath): boolean {
  return path.startsWith(`${folder}/`);
}

function lowerCased(path: VaultPath): VaultPath {
  return path.toLowerCase() as VaultPath;
}
