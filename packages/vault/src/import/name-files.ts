import { endingOf, freeName, portableTitle, withoutEnding } from '../vault/index.ts';
import { nameInNotion } from './exports/notion.ts';
import { portableName } from './portable-name.ts';

/** Something of the source: copied under its own name, or giving the start of a name to what it is converted to. */
export type Named = { id: string; path: string; isConverted: boolean };

type Options = {
  isNotion: boolean;
  /** Where items lie that were imported before: all of their files, the first of them under the item's own name. */
  known: ReadonlyMap<string, readonly string[]>;
  /** Paths that are taken by something else, in lower case. */
  taken: ReadonlySet<string>;
};

/**
 * Where each file goes, below the target: its path, for a document without the ending. Names are as they were wherever
 * they work on every system; no two differ only in upper and lower case.
 */
export function nameFiles(files: readonly Named[], { isNotion, known, taken }: Options): Map<string, string> {
  const used = new Set([...known.values()].flat().map((path) => path.toLowerCase()));
  const isFree = (path: string): boolean => !used.has(path.toLowerCase()) && !taken.has(path.toLowerCase());
  const use = (...paths: string[]): void => {
    for (const path of paths) used.add(path.toLowerCase());
  };

  /** In Notion a page and the folder of what is below it have one name, and stay together. */
  const pages = new Map<string, string>(files.flatMap(({ id, path }) => pageOf(path, known.get(id) ?? [])));
  const pageName = (folder: string, source: string, title: string): string => {
    const own = `${folder}\0${source}`;
    const found = pages.get(own);
    if (found !== undefined) return found;
    const all = (name: string): string[] =>
      ['', '.md', '.csv', '.html'].map((ending) => join(folder, `${name}${ending}`));
    const name = freeName(portableName(title), (each) => !all(each).every(isFree));
    use(...all(name));
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
    const { parent, name } = split(path);
    const into = folderFor(parent);
    const title = isNotion ? nameInNotion(name) : null;
    const chosen =
      title === null
        ? freeName(portableName(name), (each) => !isFree(join(into, each)))
        : pageName(into, name, title);
    const folder = join(into, chosen);
    use(folder);
    folders.set(path, folder);
    return folder;
  };

  const nameOf = ({ path, isConverted }: Named): string => {
    const { parent, name } = split(path);
    const into = folderFor(parent);
    const ending = endingOf(name);
    const stem = withoutEnding(name);
    const title = isNotion ? nameInNotion(stem) : null;
    if (isConverted) {
      const page = title === null ? null : pageName(into, stem, title);
      const plain = page ?? portableTitle(stem);
      const isTaken = (each: string): boolean =>
        each === page
          ? notes.has(join(into, `${each}.md`).toLowerCase())
          : ['.md', ending].some((end) => !isFree(join(into, `${each}${end}`)));
      const chosen = freeName(plain, isTaken);
      use(join(into, `${chosen}.md`), join(into, `${chosen}${ending}`));
      return join(into, chosen);
    }
    if (title !== null) return join(into, `${pageName(into, stem, title)}${ending}`);
    const chosen = join(
      into,
      freeName(portableName(name), (each) => !isFree(join(into, each))),
    );
    use(chosen);
    return chosen;
  };

  const unknown = files.filter(({ id }) => !known.has(id));
  for (const { path } of unknown) folderFor(split(path).parent);
  // Whoever can keep its name does, before others come to the same one.
  const isFine = ({ path }: Named): boolean => portableName(split(path).name) === split(path).name;
  const plain = unknown.filter(({ isConverted }) => !isConverted);
  const copied = [...plain.filter(isFine), ...plain.filter((file) => !isFine(file))].map(
    (file) => [file.id, nameOf(file)] as const,
  );
  const notes = new Set(copied.map(([, path]) => path.toLowerCase()));
  const converted = unknown.filter(({ isConverted }) => isConverted);
  return new Map([...copied, ...converted.map((file) => [file.id, nameOf(file)] as const)]);
}

/** A page that was imported keeps its name, and gives it to the folder below it. */
function pageOf(source: string, [target]: readonly string[]): [string, string][] {
  if (target === undefined) return [];
  const { parent, name } = split(target);
  return [[`${parent}\0${withoutEnding(split(source).name)}`, withoutEnding(name)]];
}

/** Folders keep the names they got when something in them was imported. */
function foldersOf(source: string, target: string): [string, string][] {
  const [from, to] = [split(source).parent, split(target).parent];
  if (target === '' || from === '' || from.split('/').length !== to.split('/').length) return [];
  return [[from, to], ...foldersOf(from, to)];
}

export function split(path: string): { parent: string; name: string } {
  const slash = path.lastIndexOf('/');
  return { parent: slash < 0 ? '' : path.slice(0, slash), name: path.slice(slash + 1) };
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
