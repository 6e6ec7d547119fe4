import { globSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Environment } from '../../app/index.ts';
import { readPrefix } from '../../hook/index.ts';
import { claudeCodeMarkers, createClaudeCodeParser } from './claude-code.ts';
import { codexMarkers, createCodexParser } from './codex.ts';
import { createGeminiParser } from './gemini-cli.ts';
import { listOpenCodeSessions } from './opencode.ts';
import { readEnds, readLines } from './read-lines.ts';
import type { TranscriptClient, TranscriptParser, TranscriptSource } from './transcript.ts';

/** The transcripts of clients on this machine, and a function that closes the databases among them. */
export type FoundTranscripts = { sources: TranscriptSource[]; close: () => void };

export async function findTranscripts(
  clients: readonly TranscriptClient[],
  environment: Environment,
): Promise<FoundTranscripts> {
  const { home, variable } = environment;
  const open: Database[] = [];
  const find: Record<TranscriptClient, () => Promise<TranscriptSource[]>> = {
    'claude-code': async () => findClaudeCode(claudeCodeFolder(environment)),
    codex: () => findCodex(variable('CODEX_HOME') ?? join(home, '.codex')),
    'gemini-cli': async () => findGemini(join(home, '.gemini', 'tmp')),
    async opencode() {
      const file = join(
        variable('XDG_DATA_HOME') ?? join(home, '.local', 'share'),
        'opencode',
        'opencode.db',
      );
      const database = await openReadOnly(file);
      if (database === null) return [];
      open.push(database);
      return listOpenCodeSessions(database, file);
    },
  };
  const sources: TranscriptSource[] = [];
  for (const client of clients) sources.push(...(await find[client]()));
  return { sources, close: () => open.forEach((database) => database.close()) };
}

export function claudeCodeFolder({ home, variable }: Environment): string {
  return variable('CLAUDE_CONFIG_DIR') ?? join(home, '.claude');
}

function findClaudeCode(folder: string): TranscriptSource[] {
  return listFiles(join(folder, 'projects'), '*/*.jsonl').map((file) =>
    toSource('claude-code', file, claudeCodeMarkers, () => createClaudeCodeParser(basename(file, '.jsonl'))),
  );
}

async function findCodex(folder: string): Promise<TranscriptSource[]> {
  const titles = await readCodexTitles(folder);
  return [...listFiles(folder, 'sessions/**/*.jsonl'), ...listFiles(folder, 'archived_sessions/*.jsonl')].map(
    (file) =>
      toSource('codex', file, codexMarkers, () => {
        const name = /[0-9a-f-]{36}(?=\.jsonl$)/.exec(file)?.[0] ?? basename(file, '.jsonl');
        const { add, finish } = createCodexParser(name);
        const withTitle = (): ReturnType<typeof finish> => {
          const transcript = finish();
          return { ...transcript, title: titles.get(transcript.session) ?? null };
        };
        return { add, finish: withTitle };
      }),
  );
}

function findGemini(folder: string): TranscriptSource[] {
  return listFiles(folder, '*/chats/session-*.jsonl').map((file) =>
    toSource('gemini-cli', file, [], () =>
      createGeminiParser(basename(file, '.jsonl'), readProjectRoot(dirname(dirname(file)))),
    ),
  );
}

function readProjectRoot(folder: string): string | null {
  try {
    return readPrefix(join(folder, '.project_root'), 4_096).trim() || null;
  } catch {
    return null;
  }
}

/** The names of threads, unless Codex has only repeated the first prompt. Empty if the index cannot be read. */
async function readCodexTitles(folder: string): Promise<Map<string, string>> {
  const [newest] = listFiles(folder, 'state_*.sqlite').toSorted((a, b) => stateVersion(b) - stateVersion(a));
  const database = newest === undefined ? null : await openReadOnly(newest);
  try {
    const rows = (database?.prepare('select * from threads').all() ?? []) as Record<string, unknown>[];
    return new Map(
      rows.flatMap(({ id, name, title, first_user_message: first }) => {
        const shown = [name, title === first ? null : title].find((each) => typeof each === 'string');
        return typeof shown === 'string' && shown !== '' ? [[String(id), shown]] : [];
      }),
    );
  } catch {
    // Another version has other tables; titles are only a convenience.
    return new Map();
  } finally {
    database?.close();
  }
}

function stateVersion(file: string): number {
  return Number(/state_(\d+)/.exec(basename(file))?.[1] ?? 0);
}

/** Null if there is no such database. Loaded only when needed. */
async function openReadOnly(file: string): Promise<Database | null> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const { default: Sqlite } = await import('better-sqlite3');
  return new Sqlite(file, { readonly: true });
}

function toSource(
  client: TranscriptClient,
  file: string,
  markers: readonly string[],
  createParser: () => TranscriptParser,
): TranscriptSource {
  const { size: bytes, mtimeMs: modifiedAt } = statSync(file);
  return {
    client,
    name: file,
    bytes,
    modifiedAt,
    sample() {
      const [whole, end] = [createParser(), createParser()];
      const readBytes = readEnds(file, markers, (line, isEnd) => {
        whole.add(line);
        if (isEnd) end.add(line);
      });
      return { transcript: whole.finish(), readBytes, hasLastTurn: end.finish().turns.length > 0 };
    },
    async read() {
      const { add, finish } = createParser();
      await readLines(file, markers, add);
      return finish();
    },
  };
}

function listFiles(folder: string, pattern: string): string[] {
  return globSync(pattern, { cwd: folder })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
    .toSorted();
}
