import { asObject, asText, asTime, createTurnCollector, joinTexts, parseObject } from './transcript.ts';
import type { TranscriptParser } from './transcript.ts';

export const codexMarkers = [
  '"session_meta"',
  '"turn_context"',
  '"type":"message"',
  '"type":"task_complete"',
];

/** Text that earlier versions store as a message of the user without saying that a program wrote it. */
const generatedPrompt = /^(?:<[a-z_]+[ >]|# AGENTS\.md instructions)/;

/** Parses `~/.codex/sessions/<day>/rollout-<time>-<session>.jsonl`, as written by version 0.166. */
export function createCodexParser(session: string): TranscriptParser {
  const turns = createTurnCollector();
  let id: string | null = null;
  let folder: string | null = null;
  let remoteUrl: string | null = null;
  let branch: string | null = null;
  let turn: string | null = null;
  let [isSubagent, isUnattended] = [false, false];
  const addMeta = (payload: Record<string, unknown>): void => {
    // A fork repeats the first line of the session that it continues.
    if (id !== null) return;
    const { source } = payload;
    id = asText(payload['id']) ?? session;
    folder = asText(payload['cwd']) ?? folder;
    const git = asObject(payload['git']);
    remoteUrl = asText(git?.['repository_url']);
    branch = asText(git?.['branch']);
    isUnattended = source === 'exec';
    isSubagent =
      asObject(source) !== null ||
      payload['thread_source'] === 'subagent' ||
      asText(payload['parent_thread_id']) !== null;
  };
  const addMessage = (payload: Record<string, unknown>, at: number): void => {
    const metadata = asObject(payload['internal_chat_message_metadata_passthrough']) ?? {};
    turn = asText(metadata['turn_id']) ?? turn;
    if (payload['role'] === 'assistant')
      turns.answer(`${turn} ${String(payload['id'])}`, at, joinTexts(payload['content'], ['output_text']));
    if (payload['role'] !== 'user') return;
    const text = joinUserTexts(payload['content'], metadata['content_item_kinds']).trim();
    if (text !== '') turns.prompt({ id: turn ?? String(at), at, text, isUnattended });
  };
  return {
    add(line) {
      const entry = parseObject(line);
      const [payload, at] = [asObject(entry?.['payload']), asTime(entry?.['timestamp'])];
      if (entry === null || payload === null || at === null) return;
      if (entry['type'] === 'session_meta') addMeta(payload);
      if (entry['type'] === 'turn_context') turn = asText(payload['turn_id']);
      if (entry['type'] === 'response_item' && payload['type'] === 'message') addMessage(payload, at);
      // The same text that the hook receives at the end of a turn.
      const last = asText(payload['last_agent_message']);
      if (payload['type'] === 'task_complete' && last !== null) turns.answer(`${turn} complete`, at, last);
    },
    finish: () => ({
      session: id ?? session,
      folder,
      remoteUrl,
      branch,
      title: null,
      isSubagent,
      turns: turns.finish(),
    }),
  };
}

/** Since version 0.160 each part says whether the user wrote it. */
function joinUserTexts(content: unknown, kinds: unknown): string {
  if (!Array.isArray(content)) return '';
  if (Array.isArray(kinds))
    return joinTexts(
      content.filter((_, index) => String(kinds[index]).startsWith('user.')),
      ['input_text'],
    );
  const text = joinTexts(content, ['input_text']);
  return generatedPrompt.test(text) ? '' : text;
}
