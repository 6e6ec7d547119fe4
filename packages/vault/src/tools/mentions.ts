import { parseLinks, parseTaskFields } from '../contract/index.ts';
import {
  baseName,
  createOutlineParser,
  decodeText,
  extractBody,
  parentPath,
  pathSegments,
  splitLines,
} from '../vault/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';
import { findBacklinks } from './backlinks.ts';
import type { Backlink } from './backlinks.ts';
import type { ReadRun } from './run.ts';

const minNameLength = 3;
/** Names that every project has say nothing. */
const rolePattern =
  /^(?:state|tasks|changelog|description|overview|profile|readme|index|tree|review|original)$/i;
const maxLinkingNotes = 200;

/** Finds notes that name a note, by its file name or first heading, without a link to it. Each is listed once, with the line. */
export async function findMentions(
  view: VaultView,
  run: Pick<ReadRun, 'search'>,
  target: VaultPath,
  limit: number,
): Promise<Backlink[]> {
  const names = await namesOf(view, target);
  // The notes of a project name it all the time.
  const own = isRole(target) ? `${parentPath(target)}/` : null;
  if (names.length === 0) return [];
  const found = await run.search({ queries: names.map((name) => `"${name}"`), mode: 'fast', limit: 50 });
  if (found.kind !== 'found') return [];
  const linking = new Set((await findBacklinks(view, target, maxLinkingNotes)).map(({ path }) => path));
  const paths = new Set([...found.passages, ...found.ranked].map(({ path }) => path));
  const mentions: Backlink[] = [];
  for (const path of paths) {
    if (mentions.length === limit) break;
    if (path === target || linking.has(path) || (own !== null && path.startsWith(own))) continue;
    const mention = await findLine(view, path, names);
    if (mention !== null) mentions.push({ path, ...mention });
  }
  return mentions.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function findLine(
  view: VaultView,
  path: VaultPath,
  names: readonly string[],
): Promise<Omit<Backlink, 'path'> | null> {
  const text = await textOf(view, path);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${names.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`,
    'iu',
  );
  const linked = new Set(parseLinks(text).map(({ line }) => line));
  const skipped = splitLines(text.slice(0, text.length - extractBody(text).length)).length;
  for (const [index, line] of splitLines(text).entries()) {
    if (index < skipped || !pattern.test(line.normalize('NFC')) || parseTaskFields(line) !== null) continue;
    if (linked.has(index + 1) && !pattern.test(line.replaceAll(/\[\[[^\]]*\]\]|\[[^\]]*\]\([^)]*\)/g, ' ')))
      continue;
    return { line: index + 1, text: line.trim().slice(0, 300) };
  }
  return null;
}

/** The names by which other notes may mention a note. */
async function namesOf(view: VaultView, target: VaultPath): Promise<string[]> {
  const stem = baseName(target).replace(/\.md$/i, '');
  const isRoleNote = isRole(target);
  // The note that describes a folder is mentioned by the name of the folder.
  const own =
    isRoleNote && pathSegments(target).length > 1 ? baseName(parentPath(target)) : isRoleNote ? '' : stem;
  const outline = createOutlineParser();
  const heading = splitLines(extractBody(await textOf(view, target)))
    .slice(0, 30)
    .map((line) => outline(line).heading)
    .find((each) => each !== null);
  const title = heading?.level === 1 && !isRoleNote ? heading.text : '';
  return [
    ...new Set(
      [own, own.replaceAll(/[-_]+/g, ' '), title].map((name) =>
        name.replaceAll('"', '').normalize('NFC').trim(),
      ),
    ),
  ].filter((name) => name.length >= minNameLength && !/^\d{4}-\d\d-\d\d$/.test(name));
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function isRole(target: VaultPath): boolean {
  return rolePattern.test(baseName(target).replace(/\.md$/i, ''));
}

async function textOf(view: VaultView, path: VaultPath): Promise<string> {
  const read = await view.read(path);
  const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
  return decoded?.kind === 'text' ? decoded.text : '';
}
