/*
 * Parses the custom names of the overview, the changelog, the task list, the folders of projects and people, and the inbox. They come from
 * `.keepsake/vault.json`, which is synced between machines and therefore untrusted: each must be a plain name at the
 * top of the vault, too short for a prompt injection, and not a reserved name.
 */
import { z } from 'zod';
import { fileKindOf } from './file-kind.ts';
import { createLayout, isInstructionFile, originalName, reviewName, defaultNames } from './layout.ts';
import type { Layout, LayoutNames } from './layout.ts';
import { childPath, nameProblem, rootPath, formatInput } from './path.ts';
import { portableProblem } from './portable-path.ts';

type Role = keyof LayoutNames;

const roles = Object.keys(defaultNames) as Role[];

const layoutSchema = z.object({
  overview: z.string().optional(),
  changelog: z.string().optional(),
  tasks: z.string().optional(),
  projects: z.string().optional(),
  people: z.string().optional(),
  inbox: z.string().optional(),
});

/**
 * Creates the layout from the untrusted `layout` field of an identity. Missing names get their default. If one name is
 * invalid, all defaults are used and `problem` says why.
 */
export function parseLayout(layout: unknown, isAdopted = false): Layout {
  const names = parseNames(layout ?? {});
  return typeof names === 'string'
    ? createLayout(defaultNames, { problem: names, isAdopted })
    : createLayout(names, { isAdopted });
}

/** Returns the names, or the reason why they are invalid. */
function parseNames(layout: unknown): LayoutNames | string {
  const chosen = layoutSchema.safeParse(layout);
  if (!chosen.success) return 'it must be an object of names, for example { "changelog": "Log.md" }';
  const names = { ...defaultNames };
  for (const role of roles) {
    const name = chosen.data[role]?.normalize('NFC') ?? defaultNames[role];
    const problem = layoutNameProblem(role, name);
    if (problem !== null) return `${role} ${JSON.stringify(formatInput(name))}: ${problem}`;
    names[role] = name;
  }
  const alike = roles.find((role, index) =>
    roles.slice(0, index).some((other) => foldCase(names[other]) === foldCase(names[role])),
  );
  return alike === undefined ? names : `${alike} ${JSON.stringify(names[alike])}: this name is used twice`;
}

/** The names that are stored in `.keepsake/vault.json`: those that differ from the defaults. */
export function customNames(names: LayoutNames): Partial<LayoutNames> {
  return Object.fromEntries(
    roles.flatMap((role) => (names[role] === defaultNames[role] ? [] : [[role, names[role]]])),
  );
}

/** Letters, numbers, emoji, and punctuation that is common in names. */
const allowedCharacters = /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic} ._,&()'+-]+$/u;
const maxNameCharacters = 50;

/** Names with another meaning in a vault or in a project. */
const reservedNames = new Set([
  'inbox',
  'bucket',
  'vault',
  'tree.md',
  'profile.md',
  'description.md',
  'state.md',
  reviewName,
  originalName,
]);

/** Folds names that file systems or readers may confuse. */
function foldCase(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
}

const folderRoles = new Set<Role>(['projects', 'people', 'inbox']);

function layoutNameProblem(role: Role, name: string): string | null {
  const path = childPath(rootPath, name);
  if (/[/\\]/.test(name)) return 'it must be a name at the top of the vault, without folders';
  if (name.length > maxNameCharacters) return `it is longer than ${maxNameCharacters} characters`;
  if (name === '') return 'it is empty';
  const unusable = nameProblem(name) ?? portableProblem(path);
  if (unusable !== null) return unusable;
  if (!allowedCharacters.test(name) || name !== name.trim())
    return 'it contains characters that are not allowed';
  const isFolder = folderRoles.has(role);
  if (!isFolder && !name.endsWith('.md')) return 'it must be a note, ending in .md';
  if (isFolder && fileKindOf(name) !== 'other') return 'it must be a folder';
  const isOwnName = role === 'inbox' && foldCase(name) === defaultNames.inbox;
  if (reservedNames.has(foldCase(name)) && !isOwnName) return 'this name is reserved';
  return isInstructionFile(path) ? 'other AI tools treat a file with this name as instructions' : null;
}

/**
 * Common names of files and folders with these roles in existing folders of notes, most likely first. A leading sort
 * number is ignored. A folder of people needs no suggestion, because it is found by its name (`findPeople`).
 */
const suggestionPatterns: Record<Role, RegExp[]> = {
  overview: [/^home$/, /^index$/, /^dashboard$/, /^(?:accueil|start|overview)$/, /^(?:.* )?moc$/],
  changelog: [/^change ?log$/, /^log$/, /^journal$/],
  tasks: [/^tasks?$/, /^to[ -]?dos?$/, /^t[âa]ches$/],
  projects: [/^projects?$/, /^projets?$/],
  people: [],
  inbox: [/^inbox$/, /^bo[îi]te de r[ée]ception$/, /^r[ée]ception$/],
};

/** Suggests existing top-level files and folders that could serve as the standard ones. */
export function suggestNames(
  topLevel: readonly { name: string; isFolder: boolean }[],
  { names }: Layout,
): Partial<LayoutNames> {
  const suggested: Partial<LayoutNames> = {};
  for (const role of roles) {
    const fitting = topLevel.filter(({ isFolder }) => isFolder === folderRoles.has(role));
    if (names[role] !== defaultNames[role] || fitting.some(({ name }) => name === defaultNames[role]))
      continue;
    const found = suggestionPatterns[role]
      .flatMap((pattern) => fitting.filter(({ name }) => pattern.test(normalizeStem(name))))
      .find(
        ({ name }) => parseLayout({ ...customNames(names), ...suggested, [role]: name }).problem === null,
      );
    if (found !== undefined) suggested[role] = found.name;
  }
  return suggested;
}

/** `01 - Projects` becomes `projects`, `Home.md` becomes `home`. */
export function normalizeStem(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.(?:md|markdown)$/, '')
    .replace(/^\d+[\s._-]*/, '')
    .trim();
}
