import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
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
        ...markdownIn(join(project, '.cursor', 'rules'), 'cursor-rules'),
      ];
  }
}

function existing(folder: string, names: string[]): Found[] {
  return names
    .map((name) => ({ path: name, file: join(folder, name) }))
    .filter(({ file }) => existsSync(file));
}

function markdownIn(folder: string, below: string): Found[] {
  return namesIn(folder, true)
    .filter((name) => /\.mdc?$/i.test(name))
    .map((name) => ({ path: `${below}/${name}`, file: join(folder, name) }));
}

function namesIn(folder: string, recursive = false): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive, encoding: 'utf8' }) : [];
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
