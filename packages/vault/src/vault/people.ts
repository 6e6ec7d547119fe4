import { decodeText } from './decode-text.ts';
import { fileKindOf } from './file-kind.ts';
import type { FolderEntry } from './file-record.ts';
import { findFolder } from './find-entry.ts';
import { extractYaml, getFrontmatterList } from './frontmatter.ts';
import { defaultNames } from './layout.ts';
import type { Layout } from './layout.ts';
import { normalizeStem } from './parse-layout.ts';
import { baseName, childPath, rootPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { stripExtension } from './portable-name.ts';
import { computeTextStats } from './text-stats.ts';
import type { VaultView } from './vault-view.ts';
import { walkFilePaths } from './walk-files.ts';

/** A page for a person; `aliases` are other names from the frontmatter. */
export type PersonPage = { path: VaultPath; title: string; aliases: string[] };

/** Further pages are not listed. */
const maxPages = 300;

/** The folder of pages for people, and its pages by path. The folder need not exist. */
export async function findPeople(view: VaultView): Promise<{ folder: VaultPath; pages: PersonPage[] }> {
  const contents = await view.contents();
  const folder = findPeopleFolder(contents, view.layout());
  const entry = findFolder(contents, folder);
  const paths = entry === undefined ? [] : [...walkFilePaths(entry)].toSorted();
  const pages: PersonPage[] = [];
  for (const path of paths.filter((each) => fileKindOf(each) === 'markdown').slice(0, maxPages)) {
    const page = await readPage(view, path);
    if (page !== null) pages.push(page);
  }
  return { folder, pages };
}

/** An existing folder of notes keeps its own folder of people, with or without a sort number. */
const peopleFolderPattern = /^(?:people|persons?|personnes?)$/;

function findPeopleFolder({ folders }: FolderEntry, { names, peoplePath }: Layout): VaultPath {
  if (names.people !== defaultNames.people || folders.has(names.people)) return peoplePath;
  const found = [...folders.keys()].toSorted().find((name) => peopleFolderPattern.test(normalizeStem(name)));
  return found === undefined ? peoplePath : childPath(rootPath, found);
}

async function readPage(view: VaultView, path: VaultPath): Promise<PersonPage | null> {
  const read = await view.read(path);
  const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
  if (read.kind !== 'file' || decoded?.kind !== 'text') return null;
  return {
    path,
    title: computeTextStats(read.bytes)?.title ?? stripExtension(baseName(path)),
    aliases: getFrontmatterList(extractYaml(decoded.text), 'aliases'),
  };
}
