import { AppError } from '../app/index.ts';
import { localTime } from '../contract/index.ts';
import { portableTitle } from '../vault/index.ts';
import { digestOf } from './candidate.ts';
import type { Candidate } from './candidate.ts';
import { readChatGptConversation } from './exports/chatgpt.ts';
import { readClaudeConversation } from './exports/claude.ts';
import { conversationNote } from './exports/conversation.ts';
import type { Conversation } from './exports/conversation.ts';
import { jsonElements } from './exports/json-elements.ts';
import type { Gathered } from './gather-files.ts';
import { conversationFiles } from './recognise.ts';
import { stampFromSource } from './set-stamps.ts';
import { limits } from './source.ts';
import type { Source } from './source.ts';
import { tooLarge } from './too-large.ts';

type Gathering = {
  source: Source;
  kind: 'chatgpt' | 'claude';
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
};

/** Reads the conversations of a data export, one after the other. */
export async function gatherConversations({
  source,
  kind,
  onProgress,
  signal,
}: Gathering): Promise<Gathered> {
  const files = conversationFiles(source);
  if (files.length === 0)
    throw new AppError('bad-input', `there is no conversations.json in ${source.place}`, {
      mend: 'name the export as you downloaded it, or its folder',
    });
  const read = kind === 'chatgpt' ? readChatGptConversation : readClaudeConversation;
  const found = new Map<string, Candidate>();
  const others = source.files.length - files.length;
  const leftOut =
    others === 0
      ? []
      : [
          {
            path: others === 1 ? 'another file of the export' : `${others} other files of the export`,
            reason: 'only conversations are imported; pictures and files in them are named where they were',
          },
        ];
  let bytes = 0;
  for (const [index, file] of files.entries()) {
    let number = 0;
    try {
      for await (const element of jsonElements(file.stream())) {
        signal.throwIfAborted();
        number += 1;
        onProgress(index, files.length);
        const conversation = read(element);
        if (conversation === null)
          leftOut.push({ path: `${file.path}, number ${number}`, reason: 'it is no conversation' });
        else if (conversation.turns.length > 0) {
          const candidate = candidateOf(conversation, file.mtime);
          bytes += candidate.bytes;
          if (bytes > limits.bytes) throw tooLarge(source.place);
          // Exports in several files may hold one twice; the later is the longer.
          found.set(candidate.id, candidate);
        } else leftOut.push({ path: conversation.title, reason: 'nothing was said in it' });
      }
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
      throw new AppError(
        'bad-input',
        `${file.path} is damaged after ${number} conversations (${error.message})`,
        { mend: 'download the export again', cause: error },
      );
    }
  }
  return { candidates: [...found.values()], leftOut };
}

function candidateOf(conversation: Conversation, mtime: number): Candidate {
  const created = conversation.created ?? conversation.updated ?? mtime;
  const times = { created, updated: conversation.updated ?? created };
  const bytes = Buffer.from(stampFromSource(conversationNote(conversation), times));
  const name = `${localTime(created).slice(0, 10)}-${portableTitle(conversation.title).toLowerCase()}.md`;
  return {
    id: conversation.id,
    path: name,
    isConverted: false,
    digest: digestOf(JSON.stringify(conversation)),
    sort: 'conversations',
    bytes: bytes.length,
    linkedAs: null,
    linkTarget: (path) => path,
    onlyIfReferred: null,
    text: null,
    build: async (path) => ({ kind: 'built', files: [{ name: path, bytes }], warnings: [] }),
  };
}
