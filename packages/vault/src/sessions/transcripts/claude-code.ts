import { asObject, asText, asTime, createTurnCollector, joinTexts, parseObject } from './transcript.ts';
import type { TranscriptParser } from './transcript.ts';

export const claudeCodeMarkers = ['"type":"user"', '"type":"assistant"', '"aiTitle"', '"customTitle"'];

/** Text that Claude Code stores as a message of the user, although the user did not write it as a prompt. */
const generatedPrompt =
  /^(?:<(?:command-|local-command-|bash-|task-notification|system-reminder|user-memory-input)|\[Request interrupted)/;

/** Parses `~/.claude/projects/<folder>/<session>.jsonl`, as written by version 2.1. */
export function createClaudeCodeParser(session: string): TranscriptParser {
  const turns = createTurnCollector();
  let folder: string | null = null;
  let branch: string | null = null;
  let generatedTitle: string | null = null;
  let chosenTitle: string | null = null;
  let isSubagent = false;
  const addUser = (entry: Record<string, unknown>, message: Record<string, unknown>, at: number): void => {
    const { content } = message;
    if (Array.isArray(content) && content.some((part) => asObject(part)?.['type'] === 'tool_result')) return;
    const text = joinTexts(content, ['text']).trim();
    const id = asText(entry['promptId']) ?? asText(entry['uuid']) ?? String(at);
    if (entry['isCompactSummary'] === true) turns.summary(id, at, extractSummary(text));
    else if (
      text !== '' &&
      entry['isMeta'] !== true &&
      entry['promptSource'] !== 'system' &&
      !generatedPrompt.test(text)
    )
      turns.prompt({ id, at, text, isUnattended: isUnattended(entry) });
  };
  return {
    add(line) {
      const entry = parseObject(line);
      if (entry === null) return;
      generatedTitle = asText(entry['aiTitle']) ?? generatedTitle;
      chosenTitle = asText(entry['customTitle']) ?? chosenTitle;
      const [message, at] = [asObject(entry['message']), asTime(entry['timestamp'])];
      if (message === null || at === null) return;
      if (entry['isSidechain'] === true) {
        isSubagent ||= entry['type'] === 'user';
        return;
      }
      folder ??= asText(entry['cwd']);
      branch ??= asText(entry['gitBranch']);
      if (entry['type'] === 'user') addUser(entry, message, at);
      if (entry['type'] === 'assistant' && entry['isApiErrorMessage'] !== true)
        turns.answer(String(message['id']), at, joinTexts(message['content'], ['text']));
    },
    finish() {
      const all = turns.finish();
      const title = chosenTitle ?? generatedTitle;
      // A session of the user can contain messages of its subagents.
      return {
        session,
        folder,
        remoteUrl: null,
        // Without a branch, Claude Code stores the name of the checked-out reference.
        branch: branch === 'HEAD' ? null : branch,
        title,
        isSubagent: isSubagent && all.length === 0,
        turns: all,
      };
    },
  };
}

/** Versions before 2.1 name only the entry point. */
function isUnattended({ promptSource, entrypoint }: Record<string, unknown>): boolean {
  return promptSource === undefined ? String(entrypoint).startsWith('sdk-') : promptSource === 'sdk';
}

/** Removes the instructions that Claude Code puts around a summary. */
function extractSummary(text: string): string {
  return text
    .replace(/^This session is being continued from a previous conversation[^\n]*\n/, '')
    .replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
    .replace(/\n+If you need specific details from before compaction[\s\S]*$/, '')
    .trim();
}
