import { AppError } from '../app/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import { decodeText, pluralize, portableTitle } from '../vault/index.ts';
import { sha256Hex } from './candidate.ts';
import type { Candidate } from './candidate.ts';
import { collectChatGptContext } from './exports/chatgpt-notes.ts';
import { parseChatGptConversation } from './exports/chatgpt.ts';
import { parseClaudeMemory, parseClaudeProject } from './exports/claude-notes.ts';
import { parseClaudeConversation } from './exports/claude.ts';
import { formatConversationNote } from './exports/conversation.ts';
import type { Conversation, OmittedPart, OmittedParts } from './exports/conversation.ts';
import type { ExportNote } from './exports/export-note.ts';
import { streamJsonArray } from './exports/json-elements.ts';
import type { CollectedItems } from './collect-files.ts';
import { findConversationFiles } from './detect-kind.ts';
import { stampFromSource } from './stamp-from-source.ts';
import { importLimits } from './source.ts';
import type { SkippedItem, Source, SourceFile } from './source.ts';
import { sourceTooLargeError } from './source-limit-errors.ts';

type CollectOptions = {
  source: Source;
  kind: 'chatgpt' | 'claude';
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
};

/** Reads a data export: its conversations one at a time, and the other texts in it. */
export async function collectConversations(options: CollectOptions): Promise<CollectedItems> {
  const { source, kind } = options;
  const files = findConversationFiles(source);
  if (files.length === 0)
    throw new AppError('bad-input', `no conversations.json found in ${source.location}`, {
      hint: 'pass the downloaded export file or its extracted folder',
    });
  const others = source.files.filter((file) => !files.includes(file));
  const found: Found = {
    candidates: new Map(),
    leftOut: [],
    omitted: new Map(),
    bytes: 0,
    used: new Set(files),
  };
  const add = (candidate: Candidate): void => {
    found.bytes += candidate.bytes;
    if (found.bytes > importLimits.bytes) throw sourceTooLargeError(source.location);
    // An export in several files may contain a conversation twice; the later version is the longer one.
    found.candidates.set(candidate.id, candidate);
  };
  const parts = { ...options, files, others, found, add };
  await (kind === 'chatgpt' ? collectChatGpt(parts) : collectClaude(parts));
  const unused = others.filter((file) => !found.used.has(file)).map(({ path }) => path);
  return {
    candidates: [...found.candidates.values()],
    leftOut: [...found.leftOut, ...describeOmitted(found.omitted), ...unused.map(describeUnused)],
  };
}

type Found = {
  candidates: Map<string, Candidate>;
  leftOut: SkippedItem[];
  omitted: OmittedParts;
  bytes: number;
  /** Files whose text is imported. */
  used: Set<SourceFile>;
};

type Parts = CollectOptions & {
  files: readonly SourceFile[];
  others: readonly SourceFile[];
  found: Found;
  add: (candidate: Candidate) => void;
};

async function collectChatGpt(parts: Parts): Promise<void> {
  const { files, others, found, add } = parts;
  const contexts: Parameters<typeof collectChatGptContext>[0][number][] = [];
  const readAttachment = async (id: string): Promise<string | null> => {
    const file = others.find(({ path }) => isFileOf(path, id) && isTextName(path));
    const decoded =
      file === undefined || file.size > importLimits.fileBytes ? null : decodeText(await file.read());
    if (file === undefined || decoded?.kind !== 'text') return null;
    found.used.add(file);
    return decoded.text;
  };
  for await (const { file, value, place } of readElements(parts, files)) {
    const conversation = await parseChatGptConversation(value, found.omitted, readAttachment);
    if (conversation === null) found.leftOut.push({ path: place, reason: 'not a conversation' });
    else {
      const { context, ...rest } = conversation;
      contexts.push({ context, created: rest.created, updated: rest.updated });
      addConversation(parts, rest, file.mtime);
    }
  }
  for (const note of collectChatGptContext(contexts)) add(noteCandidate(note, files[0]?.mtime ?? 0));
}

async function collectClaude(parts: Parts): Promise<void> {
  const { files, others, found, add } = parts;
  for await (const { file, value, place } of readElements(parts, files)) {
    const conversation = parseClaudeConversation(value, found.omitted);
    if (conversation === null) found.leftOut.push({ path: place, reason: 'not a conversation' });
    else addConversation(parts, conversation, file.mtime);
  }
  for (const file of others) {
    if (/(?:^|\/)projects(?:[-_]\d+)?\.json$|(?:^|\/)projects\/[^/]+\.json$/i.test(file.path)) {
      found.used.add(file);
      for await (const { value, place } of readElements(parts, [file])) {
        const notes = parseClaudeProject(value);
        if (notes === null) found.leftOut.push({ path: place, reason: 'not a project' });
        for (const note of notes ?? []) add(noteCandidate(note, file.mtime));
      }
    } else if (/(?:^|\/)memories\.json$/i.test(file.path)) {
      found.used.add(file);
      const values: unknown[] = [];
      for await (const { value } of readElements(parts, [file])) values.push(value);
      const note = parseClaudeMemory(values);
      if (note !== null) add(noteCandidate(note, file.mtime));
    }
  }
}

type Element = { file: SourceFile; value: unknown; place: string };

/** Yields the elements of the arrays in these files. */
async function* readElements(
  { onProgress, signal }: CollectOptions,
  files: readonly SourceFile[],
): AsyncGenerator<Element, void, undefined> {
  for (const [index, file] of files.entries()) {
    let number = 0;
    try {
      for await (const value of streamJsonArray(file.stream())) {
        signal.throwIfAborted();
        number += 1;
        onProgress(index, files.length);
        yield { file, value, place: `${file.path}, number ${number}` };
      }
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
      throw new AppError(
        'bad-input',
        `${file.path} is damaged after ${pluralize(number, 'element')} (${error.message})`,
        { hint: 'download the export again', cause: error },
      );
    }
  }
}

function addConversation({ found, add }: Parts, conversation: Conversation, mtime: number): void {
  if (conversation.turns.length === 0)
    found.leftOut.push({ path: conversation.title, reason: 'empty conversation' });
  else add(conversationCandidate(conversation, mtime));
}

/** Whether a file of the archive has this id: its name starts with it. */
function isFileOf(path: string, id: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.startsWith(id) && !/^[\dA-Za-z]/.test(name.slice(id.length));
}

function isTextName(path: string): boolean {
  return /\.(?:txt|md|markdown|csv|tsv|json|ya?ml|xml|html?|log|tex|sql|sh|py|js|ts|jsx|tsx|java|c|h|cpp|cs|go|rs|rb|php|css|toml|ini|srt|vtt)$/i.test(
    path,
  );
}

const omittedParts: Record<OmittedPart, [name: string, reason: string]> = {
  thoughts: ['thought', 'what a model thinks is not imported'],
  tools: ['tool call', 'calls and their results are not imported'],
  branches: ['message', 'an earlier version of a prompt or an answer'],
  unreadable: ['message', 'not in a known form'],
};

function describeOmitted(omitted: OmittedParts): SkippedItem[] {
  return [...omitted].map(([part, count]) => {
    const [name, reason] = omittedParts[part];
    return { path: pluralize(count, name), reason };
  });
}

function describeUnused(path: string): SkippedItem {
  if (/(?:^|\/)chat\.html$/i.test(path)) return { path, reason: 'the same conversations as a web page' };
  if (/(?:^|\/)users?\.json$/i.test(path)) return { path, reason: 'your account' };
  return {
    path,
    reason: /\.json$/i.test(path) ? 'not a conversation' : 'named in its conversation, not imported',
  };
}

function conversationCandidate(conversation: Conversation, mtime: number): Candidate {
  const created = conversation.created ?? conversation.updated ?? mtime;
  const times = { created, updated: conversation.updated ?? created };
  const name = `${formatLocalTime(created).slice(0, 10)}-${portableTitle(conversation.title).toLowerCase()}.md`;
  return {
    ...textCandidate(conversation.id, name, stampFromSource(formatConversationNote(conversation), times)),
    digest: sha256Hex(JSON.stringify(conversation)),
    category: 'conversations',
  };
}

function noteCandidate({ id, path, text, created, updated }: ExportNote, mtime: number): Candidate {
  const at = created ?? updated ?? mtime;
  const stamped = stampFromSource(text, { created: at, updated: updated ?? at });
  return { ...textCandidate(id, path, stamped), digest: sha256Hex(text) };
}

function textCandidate(id: string, path: string, text: string): Omit<Candidate, 'digest'> {
  const bytes = Buffer.from(text);
  return {
    id,
    path,
    isConverted: false,
    category: 'notes',
    bytes: bytes.length,
    linkPath: null,
    linkTarget: (name) => name,
    skipReasonUnlessReferenced: null,
    text: null,
    build: async (name) => ({ kind: 'built', files: [{ name, bytes }], warnings: [] }),
  };
}
