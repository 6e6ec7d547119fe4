import { asObject, asText, asTime, createTurnCollector, parseObject } from './transcript.ts';
import type { TranscriptParser } from './transcript.ts';

type Message = { id: string; type: unknown; at: number; text: string };

/** Parses `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, as written by version 0.61. */
export function createGeminiParser(name: string, folder: string | null): TranscriptParser {
  let session = name;
  let title: string | null = null;
  let isSubagent = false;
  let messages = new Map<string, Message>();
  const addMetadata = (metadata: Record<string, unknown>): void => {
    session = asText(metadata['sessionId']) ?? session;
    title = asText(metadata['summary']) ?? title;
    if (metadata['kind'] !== undefined) isSubagent = metadata['kind'] !== 'main';
    if (Array.isArray(metadata['messages']))
      messages = new Map(metadata['messages'].flatMap((each) => toEntries(asObject(each))));
  };
  return {
    add(line) {
      const entry = parseObject(line);
      if (entry === null) return;
      const rewindTo = asText(entry['$rewindTo']);
      if (rewindTo !== null) messages = takeUntil(messages, rewindTo);
      addMetadata(asObject(entry['$set']) ?? (entry['type'] === undefined ? entry : {}));
      for (const [id, message] of toEntries(entry)) messages.set(id, message);
    },
    finish() {
      const turns = createTurnCollector();
      for (const { id, type, at, text } of messages.values()) {
        if (type === 'gemini') turns.answer(id, at, text);
        else if (type === 'user' && text !== '' && !text.startsWith('<session_context>'))
          turns.prompt({ id, at, text, isUnattended: false });
      }
      return { session, folder, remoteUrl: null, branch: null, title, isSubagent, turns: turns.finish() };
    },
  };
}

function toEntries(entry: Record<string, unknown> | null): [string, Message][] {
  const [id, at] = [asText(entry?.['id']), asTime(entry?.['timestamp'])];
  if (entry === null || id === null || at === null) return [];
  return [[id, { id, type: entry['type'], at, text: joinParts(entry['content']).trim() }]];
}

function joinParts(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => asText(asObject(part)?.['text']) ?? '').join('');
}

/** The messages before the one that the user went back to; none if it is unknown, as in Gemini CLI. */
function takeUntil(messages: Map<string, Message>, id: string): Map<string, Message> {
  const all = [...messages];
  const end = all.findIndex(([each]) => each === id);
  return new Map(all.slice(0, Math.max(0, end)));
}
