/*
 * Every name and place to which a vault gives a meaning. Who wants to know what a file is for asks here; nothing else
 * spells out these names.
 */
import type { FolderEntry } from './entry.ts';
import { folderIn } from './folder-in.ts';
import { kindOf } from './kind.ts';
import { childPath, nameOf, parentPath, partsOf, rootPath } from './path.ts';
import type { VaultPath } from './path.ts';

export const overviewPath = childPath(rootPath, 'overview.md');
export const profilePath = childPath(rootPath, 'profile.md');
const tasksPath = childPath(rootPath, 'tasks.md');
export const changelogPath = childPath(rootPath, 'changelog.md');
/** Generated from the files; nobody else writes it. */
export const treePath = childPath(rootPath, 'tree.md');

export const inboxPath = childPath(rootPath, 'inbox');
export const bucketPath = childPath(rootPath, 'bucket');
export const projectsPath = childPath(rootPath, 'projects');

/** In an inbox item, the question to the person, and the words it is about. */
export const reviewName = 'review.md';
export const originalName = 'original.md';

const rootFiles: readonly VaultPath[] = [overviewPath, treePath, profilePath, tasksPath, changelogPath];
const rootFolders: readonly VaultPath[] = [projectsPath, bucketPath, inboxPath];

/** Whether a file or folder is part of what every vault has. On some file systems upper and lower case are one. */
export function isFixed(path: VaultPath): boolean {
  return path === rootPath || [...rootFiles, ...rootFolders].includes(lowerCased(path));
}

export function isTree(path: VaultPath): boolean {
  return lowerCased(path) === treePath;
}

export function isProfile(path: VaultPath): boolean {
  return lowerCased(path) === profilePath;
}

export function isOverview(path: VaultPath): boolean {
  return lowerCased(path) === overviewPath;
}

/** A changelog, of the vault or of a project: an H1 for each day, an H2 for each entry, newest first. */
export function isChangelog(path: VaultPath): boolean {
  return nameOf(path) === nameOf(changelogPath);
}

/** Live tasks, of the vault or of a project: an H1 for each. */
export function isTaskList(path: VaultPath): boolean {
  return nameOf(path) === nameOf(tasksPath);
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

/** Whether something lies in the bucket of the vault or of a project. Another folder of that name is a folder like any. */
export function isInBucket(path: VaultPath): boolean {
  return isBelow(path, bucketPath) || isBelow(path, childPath(projectFolder(path) ?? rootPath, 'bucket'));
}

/** Where raw material that belongs to a note goes: the bucket of its project, or that of the vault. */
export function bucketFor(note: VaultPath): VaultPath {
  return childPath(projectFolder(note) ?? rootPath, 'bucket');
}

/** The project that a file or folder lies in; null for what lies in none. */
export function projectOf(path: VaultPath): string | null {
  const [folder, project, ...below] = partsOf(path);
  return folder === nameOf(projectsPath) && below.length > 0 ? (project ?? null) : null;
}

export function isInInbox(path: VaultPath): boolean {
  return isBelow(path, inboxPath);
}

/** The inbox item whose question this file is; null for any other file. */
export function itemAskedIn(path: VaultPath): string | null {
  const item = parentPath(path);
  return nameOf(path) === reviewName && parentPath(item) === inboxPath ? nameOf(item) : null;
}

/** Whether a document, neither markdown nor an image, may lie there: in a bucket, or in an inbox item. */
export function mayHoldDocument(path: VaultPath): boolean {
  return isInBucket(path) || isBelow(parentPath(path), inboxPath);
}

/** The items that wait for the person, by name: folders of the inbox with a question in them. */
export function openItems(contents: FolderEntry): [string, FolderEntry][] {
  return [...(folderIn(contents, inboxPath)?.folders ?? [])].filter(([, { files }]) => files.has(reviewName));
}

/**
 * Overview, profile and tree are always in a model's context, the inbox is temporary; all other markdown is found, and
 * images.
 */
export function isSearchable(path: VaultPath): boolean {
  if (kindOf(nameOf(path)) === 'other' || isInInbox(path)) return false;
  return path !== overviewPath && path !== treePath && path !== profilePath;
}

function isBelow(path: VaultPath, folder: VaultPath): boolean {
  return path.startsWith(`${folder}/`);
}

function projectFolder(path: VaultPath): VaultPath | null {
  const project = projectOf(path);
  return project === null ? null : childPath(projectsPath, project);
}

function lowerCased(path: VaultPath): VaultPath {
  return path.toLowerCase() as VaultPath;
}
