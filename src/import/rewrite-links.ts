import { linkPlaces } from './link-places.ts';
import type { LinkPlace } from './link-places.ts';
import { split } from './name-files.ts';

/**
 * Gives a function that makes the links of a note lead to where their files went. A link that leads there anyway stays as
 * it is, byte for byte. `targets` tells where each file of the source went; both are paths below their roots.
 */
export function createLinkRewriter(
  targets: ReadonlyMap<string, string>,
): (text: string, note: string) => { text: string; referred: string[] } {
  const source = lookUpIn(targets.keys());
  const target = lookUpIn(targets.values());
  return (text, note) => {
    const referred: string[] = [];
    const from = targets.get(note) ?? note;
    let result = '';
    let end = 0;
    for (const place of linkPlaces(text)) {
      const aim = place.kind === 'wiki' ? source.named(place.target, note) : source.at(place.target, note);
      const to = aim === null ? undefined : targets.get(aim);
      if (aim === null || to === undefined) continue;
      referred.push(aim);
      const now = place.kind === 'wiki' ? target.named(place.target, from) : target.near(place.target, from);
      if (now === to) continue;
      result += text.slice(end, place.start) + written(place, to, from, target);
      end = place.end;
    }
    return { text: result + text.slice(end), referred };
  };
}

type LookUp = {
  /** A path relative to a file, or as some programs write it, to the root. */
  at(path: string, from: string): string | null;
  /** The same, without the root. */
  near(path: string, from: string): string | null;
  /** A name as in `[[name]]`, with folders before it or not; the nearest one is meant. */
  named(name: string, from: string): string | null;
};

function lookUpIn(paths: Iterable<string>): LookUp {
  const byPath = new Map<string, string>();
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    byPath.set(path.normalize('NFC'), path);
    const name = split(fold(path)).name;
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [path]);
    else same.push(path);
  }
  const exactly = (path: string | null): string | null =>
    path === null ? null : (byPath.get(path) ?? byPath.get(`${path}.md`) ?? null);
  const near = (path: string, from: string): string | null =>
    path.startsWith('/') ? null : exactly(resolve(split(from).parent, path));
  return {
    near,
    at: (path, from) => near(path, from) ?? exactly(resolve('', path)),
    named(name, from) {
      const wanted = fold(name.trim());
      const last = split(wanted).name;
      const found = [...(byName.get(last) ?? []), ...(byName.get(`${last}.md`) ?? [])].filter((path) =>
        [wanted, `${wanted}.md`].some((end) => `/${fold(path)}`.endsWith(`/${end}`)),
      );
      return found.toSorted((a, b) => distance(a, from) - distance(b, from))[0] ?? null;
    },
  };
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** How many folders lie between two files. */
function distance(a: string, b: string): number {
  const [one, other] = [a.split('/').slice(0, -1), b.split('/').slice(0, -1)];
  const shared = one.findIndex((part, index) => part !== other[index]);
  return one.length + other.length - 2 * (shared < 0 ? one.length : shared);
}

/** Null when it leads out of the source. */
function resolve(folder: string, path: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of path.normalize('NFC').split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

/** The link as it has to be now, in the way it was written. */
function written(place: LinkPlace, to: string, from: string, target: LookUp): string {
  if (place.kind === 'path') return place.write(relative(split(from).parent, to));
  const hasEnding = /\.(?:md|markdown)$/i.test(place.target) || !/\.md$/i.test(to);
  const short = hasEnding ? to : to.replace(/\.md$/i, '');
  const name = place.target.includes('/') ? short : split(short).name;
  return place.write(target.named(name, from) === to ? name : short);
}

function relative(folder: string, to: string): string {
  const [here, there] = [folder === '' ? [] : folder.split('/'), to.split('/')];
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared += 1;
  return [...here.slice(shared).map(() => '..'), ...there.slice(shared)].join('/');
}
