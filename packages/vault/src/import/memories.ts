import { existsSync, lstatSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { redactSecrets } from '../secrets/index.ts';
import { decodeText, isInstructionFile, stripExtension } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { compareByPath } from './source.ts';
import type { SkippedItem, Source, SourceFile } from './source.ts';

export const memoryTools = ['codex', 'gemini', 'claude-code', 'project'] as const;
export type MemoryTool = (typeof memoryTools)[number];

/** Where tools keep their memories. */
export type MemoryPlaces = { home: string; codexHome: string; project: string };

/** What an AI tool remembers, as a source for an import: notes without secrets. */
export type Memories = { tool: MemoryTool; source: Source; secrets: number };

const maxFileBytes = 1_000_000;

/** Reads the memories of a tool, or the instruction files of a project. The source has no files if there are none. */
export function readMemories(tool: MemoryTool, places: MemoryPlaces): Memories {
  const leftOut: SkippedItem[] = [];
  let secrets = 0;
  const files = listFiles(tool, places).flatMap(({ path, file }): SourceFile[] => {
    const text = readText(file);
    if ('reason' in text) {
      leftOut.push({ path, reason: text.reason });
      return [];
    }
    const clean = redactSecrets(text.text);
    secrets += clean.count;
    const bytes = Buffer.from(clean.text);
    return [
      {
        path: toNotePath(path),
        size: bytes.length,
        mtime: Math.floor(lstatSync(file).mtimeMs),
        read: async () => bytes,
        async *stream() {
          yield bytes;
        },
      },
    ];
  });
  return {
    tool,
    secrets,
    source: {
      name: `memories-of-${tool}`,
      location: tool === 'project' ? places.project : `memories of ${tool}`,
      files: files.toSorted(compareByPath),
      hidden: [],
      leftOut,
      close: () => undefined,
    },
  };
}

type Found = { path: string; file: string };

function listFiles(tool: MemoryTool, { home, codexHome, project }: MemoryPlaces): Found[] {
  switch (tool) {
    case 'codex':
      return [
        ...existing(codexHome, ['AGENTS.md']),
        ...existing(join(codexHome, 'memories'), ['MEMORY.md']),
        ...markdownIn(join(codexHome, 'memories', 'rollout_summaries'), 'rollout_summaries'),
      ];
    case 'gemini':
      return existing(join(home, '.gemini'), ['GEMINI.md']);
    case 'claude-code': {
      const projects = join(home, '.claude', 'projects');
      return [
        ...existing(join(home, '.claude'), ['CLAUDE.md']),
        ...namesIn(projects).flatMap((name) => markdownIn(join(projects, name, 'memory'), name)),
      ];
    }
    case 'project':
      return [
        ...existing(project, ['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md', 'GEMINI.md', '.cursorrules']),
        ...rulesIn(project),
      ];
  }
}

function existing(folder: string, names: string[]): Found[] {
  return names
    .map((name) => ({ path: name, file: join(folder, name) }))
    .filter(({ file }) => existsSync(file));
}

/** Unless a link leads out of the project, which may be a repository of others. */
function rulesIn(project: string): Found[] {
  const folder = join(project, '.cursor', 'rules');
  if (!existsSync(folder)) return [];
  return realpathSync(folder) === join(realpathSync(project), '.cursor', 'rules')
    ? markdownIn(folder, 'cursor-rules')
    : [{ path: '.cursor/rules', file: folder }];
}

/** The notes below a folder, and symbolic links, which are not followed. */
function markdownIn(folder: string, below: string): Found[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const found = { path: `${below}/${entry.name}`, file: join(folder, entry.name) };
    if (entry.isDirectory()) return markdownIn(found.file, found.path);
    return entry.isSymbolicLink() || /\.mdc?$/i.test(entry.name) ? [found] : [];
  });
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Symbolic links are not followed, because they may lead to any file of the user. */
function readText(file: string): { text: string } | { reason: string } {
  const stats = lstatSync(file);
  if (stats.isSymbolicLink())
    return { reason: 'symbolic link; its target is imported if it is a memory, too' };
  if (!stats.isFile()) return { reason: 'not a regular file' };
  if (stats.size > maxFileBytes) return { reason: 'larger than 1 MB' };
  const decoded = decodeText(readFileSync(file));
  return decoded.kind === 'text' ? { text: decoded.text } : { reason: `${decoded.description}, not text` };
}

/** A name under which no AI tool takes the note for its instructions: `CLAUDE.md` becomes `claude-instructions.md`. */
function toNotePath(path: string): string {
  const name = basename(path);
  const isPlain = /\.md$/i.test(name) && !isInstructionFile(path as VaultPath);
  if (isPlain) return path;
  const stem = /\.mdc?$/i.test(name) ? stripExtension(name) : name;
  const safe = `${stem.replace(/^\./, '').replaceAll('.', '-').toLowerCase()}-instructions.md`;
  return `${path.slice(0, path.length - name.length)}${safe}`;
}
