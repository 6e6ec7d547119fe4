/*
 * The names that a vault may choose for its map, its log, its tasks and the folder of its projects. They stand in
 * `.keepsake/vault.json`, which travels between machines, so whoever can write there may have chosen them: each is one plain name at
 * the top of the vault, short enough to say little to a model, and nothing that has a meaning of its own.
 */
import { z } from 'zod';
import { kindOf } from './kind.ts';
import { createLayout, isInstructions, originalName, reviewName, usualNames } from './layout.ts';
import type { Layout, LayoutNames } from './layout.ts';
import { childPath, nameProblem, rootPath, showInput } from './path.ts';
import { portableProblem } from './portable-path.ts';

type Role = keyof LayoutNames;

const roles = Object.keys(usualNames) as Role[];

const given = z.object({
  overview: z.string().optional(),
  changelog: z.string().optional(),
  tasks: z.string().optional(),
  projects: z.string().optional(),
});

/**
 * What a vault is laid out as that says this of its names, whoever wrote it; where it says nothing, they are the usual ones. A name
 * that cannot be does not count, and none of the others then.
 */
export function layoutFrom(layout: unknown): Layout {
  const names = parseNames(layout ?? {});
  return typeof names === 'string' ? createLayout(usualNames, names) : createLayout(names);
}

/** Or why they cannot be. */
function parseNames(layout: unknown): LayoutNames | string {
  const chosen = given.safeParse(layout);
  if (!chosen.success) return 'it must name files: { "changelog": "Log.md" }';
  const names = { ...usualNames };
  for (const role of roles) {
    const name = chosen.data[role]?.normalize('NFC') ?? usualNames[role];
    const problem = problemOf(role, name);
    if (problem !== null) return `${role} ${JSON.stringify(showInput(name))}: ${problem}`;
    names[role] = name;
  }
  const alike = roles.find((role, index) =>
    roles.slice(0, index).some((other) => folded(names[other]) === folded(names[role])),
  );
  return alike === undefined ? names : `${alike} ${JSON.stringify(names[alike])}: two of them have this name`;
}

/** What is kept of names in `.keepsake/vault.json`: those that are not the usual ones. */
export function chosenOf(names: LayoutNames): Partial<LayoutNames> {
  return Object.fromEntries(
    roles.flatMap((role) => (names[role] === usualNames[role] ? [] : [[role, names[role]]])),
  );
}

/** Letters, numbers, pictures and the few signs that names are written with. */
const plain = /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic} ._,&()'+-]+$/u;
const longest = 50;

/** Names that mean something else, in a vault or in a project. */
const taken = new Set([
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

/** As file systems and eyes may take it for another one. */
function folded(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
}

function problemOf(role: Role, name: string): string | null {
  const path = childPath(rootPath, name);
  if (/[/\\]/.test(name)) return 'it must be a name at the top of the vault, without folders';
  if (name.length > longest) return `it is longer than ${longest} characters`;
  if (name === '') return 'it is empty';
  const unusable = nameProblem(name) ?? portableProblem(path);
  if (unusable !== null) return unusable;
  if (!plain.test(name) || name !== name.trim()) return 'it has signs that such a name cannot have';
  if (role !== 'projects' && !name.endsWith('.md')) return 'it must be a note, with the ending .md';
  if (role === 'projects' && kindOf(name) !== 'other') return 'it must be a folder';
  if (taken.has(folded(name))) return 'this name has a meaning of its own';
  return isInstructions(path) ? 'other AI tools take a file of this name for instructions' : null;
}

/** What such files are often called in folders that people have made, the likelier first; after a number, as folders are sorted by. */
const likely: Record<Role, RegExp[]> = {
  overview: [/^home$/, /^index$/, /^dashboard$/, /^(?:accueil|start|overview)$/, /^(?:.* )?moc$/],
  changelog: [/^change ?log$/, /^log$/, /^journal$/],
  tasks: [/^tasks?$/, /^to[ -]?dos?$/, /^t[âa]ches$/],
  projects: [/^projects?$/, /^projets?$/],
};

/** The files and folders at the top of a vault that may be meant for what Keepsake would make files of its own for. */
export function proposeNames(
  present: readonly { name: string; isFolder: boolean }[],
  { names }: Layout,
): Partial<LayoutNames> {
  const proposed: Partial<LayoutNames> = {};
  for (const role of roles) {
    const fitting = present.filter(({ isFolder }) => isFolder === (role === 'projects'));
    if (names[role] !== usualNames[role] || fitting.some(({ name }) => name === usualNames[role])) continue;
    const found = likely[role]
      .flatMap((pattern) => fitting.filter(({ name }) => pattern.test(stemOf(name))))
      .find(({ name }) => layoutFrom({ ...chosenOf(names), ...proposed, [role]: name }).problem === null);
    if (found !== undefined) proposed[role] = found.name;
  }
  return proposed;
}

/** `projects` of `01 - Projects`, `home` of `Home.md`. */
function stemOf(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.(?:md|markdown)$/, '')
    .replace(/^\d+[\s._-]*/, '')
    .trim();
}
