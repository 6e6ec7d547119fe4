import { streamJsonArray } from './exports/json-elements.ts';
import { stripNotionId } from './exports/notion.ts';
import type { Source } from './source.ts';

export const importKinds = ['obsidian', 'folder', 'chatgpt', 'claude', 'notion', 'apple-notes'] as const;
export type ImportKind = (typeof importKinds)[number];

const conversations = /^(?:[^/]+\/)*conversations(?:[-_]\d+)?\.json$/i;

/** The files of an export that contain conversations; recent exports have several. */
export function findConversationFiles({ files }: Source): Source['files'] {
  const named = files.filter(({ path }) => conversations.test(path));
  const depth = Math.min(...named.map(({ path }) => path.split('/').length));
  return named.filter(({ path }) => path.split('/').length === depth);
}

/** Detects the kind of a source by its contents. */
export async function detectImportKind(source: Source): Promise<ImportKind> {
  if (source.hidden.includes('.obsidian')) return 'obsidian';
  for (const file of findConversationFiles(source)) {
    const kind = await conversationKind(file);
    if (kind !== null) return kind;
  }
  const notes = source.files.filter(({ path }) => /\.(?:md|csv|html)$/i.test(path));
  const fromNotion = notes.filter(({ path }) => stripNotionId(stemOf(path)) !== null);
  return fromNotion.length > 0 && fromNotion.length >= notes.length / 2 ? 'notion' : 'folder';
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
}

async function conversationKind(file: Source['files'][number]): Promise<'chatgpt' | 'claude' | null> {
  try {
    for await (const element of streamJsonArray(file.stream())) {
      if (typeof element !== 'object' || element === null) return null;
      if ('mapping' in element) return 'chatgpt';
      return 'chat_messages' in element ? 'claude' : null;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
  }
  return null;
}
