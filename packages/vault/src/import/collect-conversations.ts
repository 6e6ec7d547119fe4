import { AppError } from '../app/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import { portableTitle } from '../vault/index.ts';
import { sha256Hex } from './candidate.ts';
import type { Candidate } from './candidate.ts';
import { parseChatGptConversation } from './exports/chatgpt.ts';
import { parseClaudeConversation } from './exports/claude.ts';
import { formatConversationNote } from './exports/conversation.ts';
import type { Conversation } from './exports/conversation.ts';
import { streamJsonArray } from './exports/json-elements.ts';
import type { CollectedItems } from './collect-files.ts';
import { findConversationFiles } from './detect-kind.ts';
import { stampFromSource } from './stamp-from-source.ts';
import { importLimits } from './source.ts';
import type { Source } from './source.ts';
import { sourceTooLargeError } from './source-limit-errors.ts';

type CollectOptions = {
  source: Source;
  kind: 'chatgpt' | 'claude';
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
};

/** Reads the conversations of a data export one at a time. */
export async function collectConversations({
  source,
  kind,
  onProgress,
  signal,
}: CollectOptions): Promise<CollectedItems> {
  const files = findConversationFiles(source);
  if (files.length === 0)
    throw new AppError('bad-input', `no conversations.json found in ${source.location}`, {
      hint: 'pass the downloaded export file or its extracted folder',
    });
  const read = kind === 'chatgpt' ? parseChatGptConversation : parseClaudeConversation;
  const found = new Map<string, Candidate>();
  const others = source.files.length - files.length;
  const leftOut =
    others === 0
      ? []
      : [
          {
            path: others === 1 ? 'another file of the export' : `${others} other files of the export`,
            reason: 'only conversations are imported; their notes list the names of pictures and files',
          },
        ];
  let bytes = 0;
  for (const [index, file] of files.entries()) {
    let number = 0;
    try {
      for await (const element of streamJsonArray(file.stream())) {
        signal.throwIfAborted();
        number += 1;
        onProgress(index, files.length);
        const conversation = read(element);
        if (conversation === null)
          leftOut.push({ path: `${file.path}, number ${number}`, reason: 'not a conversation' });
        else if (conversation.turns.length > 0) {
          const candidate = candidateOf(conversation, file.mtime);
          bytes += candidate.bytes;
          if (bytes > importLimits.bytes) throw sourceTooLargeError(source.location);
          // An export in several files may contain a conversation twice; the later version is the longer one.
          found.set(candidate.id, candidate);
        } else leftOut.push({ path: conversation.title, reason: 'empty conversation' });
      }
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
      throw new AppError(
        'bad-input',
        `${file.path} is damaged after ${number} conversations (${error.message})`,
        { hint: 'download the export again', cause: error },
      );
    }
  }
  return { candidates: [...found.values()], leftOut };
}

function candidateOf(conversation: Conversation, mtime: number): Candidate {
  const created = conversation.created ?? conversation.updated ?? mtime;
  const times = { created, updated: conversation.updated ?? created };
  const bytes = Buffer.from(stampFromSource(formatConversationNote(conversation), times));
  const name = `${formatLocalTime(created).slice(0, 10)}-${portableTitle(conversation.title).toLowerCase()}.md`;
  return {
    id: conversation.id,
    path: name,
    isConverted: false,
    digest: sha256Hex(JSON.stringify(conversation)),
    category: 'conversations',
    bytes: bytes.length,
    linkPath: null,
    linkTarget: (path) => path,
    skipReasonUnlessReferenced: null,
    text: null,
    build: async (path) => ({ kind: 'built', files: [{ name: path, bytes }], warnings: [] }),
  };
}
