import { extensionOf, findFreeName, portableTitle, stripExtension } from '../vault/index.ts';
import { stripNotionId } from './exports/notion.ts';
import { toPortableName } from './portable-name.ts';
import { splitPath } from './split-path.ts';

/** An item of the source: copied under its own name, or converted to files whose names start with its stem. */
export type NamedItem = { id: string; path: string; isConverted: boolean };

type Options = {
  isNotion: boolean;
  /** The paths of items that were imported before: all files of an item, starting with the one that has the item's own name. */
  known: ReadonlyMap<string, readonly string[]>;
  /** Lower-case paths that are used by other files. */
  reservedNames: ReadonlySet<string>;
};

/**
 * Assigns each file a path below the target; the path of a converted file has no extension. A name is kept if it works
 * on every system; no two names differ only in case.
 */
export function assignNames(
  files: readonly NamedItem[],
  { isNotion, known, reservedNames }: Options,
): Map<string, string> {
  const used = new Set([...known.values()].flat().map((path) => path.toLowerCase()));
  const isFree = (path: string): boolean =>
    !used.has(path.toLowerCase()) && !reservedNames.has(path.toLowerCase());
  const reserve = (...paths: string[]): void => {
    for (const path of paths) used.add(path.toLowerCase());
  };

  /** In Notion, a page and the folder of its subpages have the same name and stay together. */
  const pages = new Map<string, string>(files.flatMap(({ id, path }) => pageOf(path, known.get(id) ?? [])));
  const pageName = (folder: string, source: string, title: string): string => {
    const own = `${folder}\0${source}`;
    const found = pages.get(own);
    if (found !== undefined) return found;
    const all = (name: string): string[] =>
      ['', '.md', '.csv', '.html'].map((ending) => join(folder, `${name}${ending}`));
    const name = findFreeName(toPortableName(title), (each) => !all(each).every(isFree));
    reserve(...all(name));
    pages.set(own, name);
    return name;
  };

  const folders = new Map([
    ['', ''],
    ...files.flatMap(({ id, path }) => foldersOf(path, known.get(id)?.[0] ?? '')),
  ]);
  const folderFor = (path: string): string => {
    const present = folders.get(path);
    if (present !== undefined) return present;
    const { parent, name } = splitPath(path);
    const into = folderFor(parent);
    const title = isNotion ? stripNotionId(name) : null;
    const chosen =
      title === null
        ? findFreeName(toPortableName(name), (each) => !isFree(join(into, each)))
        : pageName(into, name, title);
    const folder = join(into, chosen);
    reserve(folder);
    folders.set(path, folder);
    return folder;
  };

  const nameOf = ({ path, isConverted }: NamedItem): string => {
    const { parent, name } = splitPath(path);
    const into = folderFor(parent);
    const ending = extensionOf(name);
    const stem = stripExtension(name);
    const title = isNotion ? stripNotionId(stem) : null;
    if (isConverted) {
      const page = title === null ? null : pageName(into, stem, title);
      const plain = page ?? portableTitle(stem);
      const isTaken = (each: string): boolean =>
        each === page
          ? notes.has(join(into, `${each}.md`).toLowerCase())
          : ['.md', ending].some((end) => !isFree(join(into, `${each}${end}`)));
      const chosen = findFreeName(plain, isTaken);
      reserve(join(into, `${chosen}.md`), join(into, `${chosen}${ending}`));
      return join(into, chosen);
    }
    if (title !== null) return join(into, `${pageName(into, stem, title)}${ending}`);
    const chosen = join(
      into,
      findFreeName(toPortableName(name), (each) => !isFree(join(into, each))),
    );
    reserve(chosen);
    return chosen;
  };

  const unknown = files.filter(({ id }) => !known.has(id));
  for (const { path } of unknown) folderFor(splitPath(path).parent);
  // Files that can keep their name are named first, before others are renamed to the same name.
  const isFine = ({ path }: NamedItem): boolean =>
    toPortableName(splitPath(path).name) === splitPath(path).name;
  const plain = unknown.filter(({ isConverted }) => !isConverted);
  const copied = [...plain.filter(isFine), ...plain.filter((file) => !isFine(file))].map(
    (file) => [file.id, nameOf(file)] as const,
  );
  const notes = new Set(copied.map(([, path]) => path.toLowerCase()));
  const converted = unknown.filter(({ isConverted }) => isConverted);
  return new Map([...copied, ...converted.map((file) => [file.id, nameOf(file)] as const)]);
}

/** A page that was imported before keeps its name, and so does the folder of its subpages. */
function pageOf(source: string, [target]: readonly string[]): [string, string][] {
  if (target === undefined) return [];
  const { parent, name } = splitPath(target);
  return [[`${parent}\0${stripExtension(splitPath(source).name)}`, stripExtension(name)]];
}

/** Folders keep the names they got in earlier imports. */
function foldersOf(source: string, target: string): [string, string][] {
  const [from, to] = [splitPath(source).parent, splitPath(target).parent];
  if (target === '' || from === '' || from.split('/').length !== to.split('/').length) return [];
  // A message that has been read since is in `cur` instead of `new`; other messages keep their folder.
  const isMoved = maildirPart(from) !== maildirPart(to) && maildirPart(from) !== undefined;
  return [...(isMoved ? [] : [[from, to] as [string, string]]), ...foldersOf(from, to)];
}

function maildirPart(folder: string): string | undefined {
  return /(?:^|\/)(cur|new)$/.exec(folder)?.[1];
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
