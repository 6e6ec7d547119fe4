import type { Run } from '../tools/index.ts';
import {
  childPath,
  computeRevision,
  decodeText,
  fileKindOf,
  formatNumberedLines,
  formatPath,
  renderBlock,
  splitLines,
  walkFolders,
} from '../vault/index.ts';
import type { FolderEntry, Layout, Revision, VaultPath } from '../vault/index.ts';

type Sample = { path: VaultPath; revision: Revision; lines: string[]; score: number };

const maxSampleCharacters = 1_100;
const maxCandidates = 40;
const maxCandidatesPerFolder = 3;
const candidateTokens = { min: 20, max: 4_000 };

/**
 * Extracts of two notes that show how an adopted vault writes tasks, links and dates, at most 600 tokens together. The
 * choice depends only on the notes, so that the text can be cached. Empty for a vault with the standard forms.
 */
export async function formatSampleNotes(run: Run): Promise<string[]> {
  const layout = run.view.layout();
  if (!layout.isAdopted) return [];
  const samples: Sample[] = [];
  for (const path of listCandidates(await run.view.contents(), layout)) {
    const sample = await readSample(run, path);
    if (sample !== null && sample.score > 0) samples.push(sample);
  }
  const chosen = samples.toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)).slice(0, 2);
  if (chosen.length === 0) return [];
  const blocks = chosen.map(({ path, revision, lines }) => {
    run.shownLines.add(path, revision, 1, lines);
    return renderBlock(formatPath(path), formatNumberedLines(lines, 1));
  });
  return ['Notes of this vault (their beginnings), as examples of its forms:', ...blocks];
}

/** The first notes of every folder, those of projects first. */
function listCandidates(contents: FolderEntry, layout: Layout): VaultPath[] {
  const isCandidate = (path: VaultPath): boolean =>
    layout.isSearchable(path) && !layout.isInBucket(path) && !templateFolder.test(path);
  const byFolder = [...walkFolders(contents)].flatMap(({ path: folder, files }) =>
    [...files]
      .filter(
        ([name, { tokens }]) =>
          fileKindOf(name) === 'markdown' &&
          (tokens ?? 0) >= candidateTokens.min &&
          (tokens ?? 0) <= candidateTokens.max,
      )
      .map(([name]) => childPath(folder, name))
      .filter(isCandidate)
      .toSorted()
      .slice(0, maxCandidatesPerFolder),
  );
  const isInProjects = (path: VaultPath): boolean => path.startsWith(`${layout.projectsPath}/`);
  const ordered = byFolder.toSorted();
  return [...ordered.filter(isInProjects), ...ordered.filter((path) => !isInProjects(path))].slice(
    0,
    maxCandidates,
  );
}

/** Templates contain placeholders instead of text. */
const templateFolder = /(?:^|\/)[^/]*(?:templates?|modèles?)[^/]*\//i;

async function readSample({ view, bounds }: Run, path: VaultPath): Promise<Sample | null> {
  const read = await view.read(path);
  const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
  if (read.kind !== 'file' || decoded?.kind !== 'text') return null;
  // A small context gets shorter extracts: a quarter of the tokens of a tool result for each.
  let room = Math.min(maxSampleCharacters, bounds.tokens) - path.length;
  const all = splitLines(decoded.text);
  const over = all.findIndex((line) => (room -= line.length + 6) < 0);
  const lines = over === -1 ? all : all.slice(0, over);
  return { path, revision: computeRevision(read.bytes), lines, score: scoreForms(lines.join('\n')) };
}

/** How many of the forms that differ between vaults a text shows; tasks count twice. */
function scoreForms(text: string): number {
  const forms = [
    /^\s*[-*] \[.\] /m,
    /^\s*[-*] \[.\] .*(?:📅|⏳|due|\d{4}-\d\d-\d\d)/m,
    /\[\[[^\]]+\]\]/,
    /\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}/,
    /^#{1,6} /m,
  ];
  return forms.filter((form) => form.test(text)).length;
}
