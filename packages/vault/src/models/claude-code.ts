import { join } from 'node:path';
import type { ChatCall, ChatContent, ChatModel, ChatRequest } from './chat.ts';
import { claudeNotSignedIn, createClaudeEventReader, toolPrefix } from './claude-events.ts';
import type { ModelInfo } from './fetch-model-info.ts';
import { createHeldCalls, deliverResults } from './held-calls.ts';
import type { HeldCalls } from './held-calls.ts';
import { createProgramChatModel, exitError, notRunningError } from './program-chat.ts';
import type { ProgramEvents, ProgramSession } from './program-chat.ts';
import { createRunFolder } from './program-folder.ts';
import { readProgram, startProgram } from './program-process.ts';
import type { InstalledProgram } from './program-process.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';
import { startToolMailbox } from './tool-mailbox.ts';
import type { ToolMailbox } from './tool-mailbox.ts';

/** The version that the tests run. */
const testedVersion = '2.1.325';

type Options = {
  name: string;
  endpoint: RemoteEndpoint;
  timeoutSeconds: number;
  program: InstalledProgram;
};

/** The user's own Claude Code as a chat model, with its sign-in and without any of its tools, hooks and settings. */
export function createClaudeCodeModel(options: Options): ChatModel {
  return createProgramChatModel({
    ...options,
    start: (request, events) => startClaudeCode(options, request, events),
  });
}

/** Whether Claude Code is signed in, without a model call. Throws a `ModelError` if it is not. */
export async function fetchClaudeCodeInfo(
  { variables, ...program }: InstalledProgram,
  signal: AbortSignal,
): Promise<ModelInfo> {
  const own = { ...program, variables: toClaudeVariables(variables) };
  const [version, { output }] = await Promise.all([
    readProgram(own, ['--version'], signal),
    readProgram(own, ['auth', 'status'], signal),
  ]);
  signal.throwIfAborted();
  if (version.code !== 0) throw notRunningError(program.file, version.output);
  if (!/"loggedIn":\s*true/.test(output)) throw claudeNotSignedIn();
  const number = version.output.split(' ', 1)[0] ?? '';
  return {
    contextTokens: null,
    others: null,
    status: `version ${number} is signed in (tested with ${testedVersion})`,
  };
}

async function startClaudeCode(
  options: Options,
  request: ChatRequest,
  events: ProgramEvents,
): Promise<ProgramSession> {
  const held = createHeldCalls();
  const mailbox = await startToolMailbox(request.tools, held);
  try {
    return runClaudeCode(options, request, events, { held, mailbox });
  } catch (error) {
    // An open server would keep this process alive.
    mailbox.close();
    throw error;
  }
}

function runClaudeCode(
  { name, endpoint, program }: Options,
  { instructions, tools }: ChatRequest,
  events: ProgramEvents,
  { held, mailbox }: { held: HeldCalls; mailbox: ToolMailbox },
): ProgramSession {
  const { url, token } = mailbox;
  const vault = { type: 'http', url, headers: { Authorization: `Bearer ${token}` }, alwaysLoad: true };
  const run = createRunFolder(program.folder, {
    'mcp.json': JSON.stringify({ mcpServers: { vault } }),
    'prompt.md': instructions,
  });
  let isClosed = false;
  let calls: readonly ChatCall[] = [];
  const read = createClaudeEventReader(endpoint, {
    ...events,
    onAnswer(answer) {
      ({ calls } = answer);
      events.onAnswer(answer);
    },
  });
  const child = startProgram(program.file, {
    args: claudeArguments(endpoint.model, run.folder),
    cwd: run.workFolder,
    variables: toClaudeVariables(program.variables),
    onValue: read,
    onEnd(problem) {
      if (!isClosed) events.onFailure(exitError(name, program, problem));
    },
  });
  return {
    send(messages) {
      const content = deliverResults(held, messages, { calls, tools }).flatMap(toBlocks);
      if (content.length > 0) child.writeLine({ type: 'user', message: { role: 'user', content } });
    },
    close() {
      isClosed = true;
      child.kill();
      mailbox.close();
      run.remove();
    },
  };
}

function claudeArguments(model: string, folder: string): string[] {
  return [
    ['-p', '--verbose', '--include-partial-messages'],
    ['--input-format', 'stream-json', '--output-format', 'stream-json'],
    ['--model', model, '--system-prompt-file', join(folder, 'prompt.md')],
    ['--tools', '', '--strict-mcp-config', '--mcp-config', join(folder, 'mcp.json')],
    ['--allowedTools', `${toolPrefix}*`, '--setting-sources', ''],
    ['--settings', JSON.stringify({ disableAllHooks: true, autoMemoryEnabled: false })],
    ['--no-session-persistence', '--disable-slash-commands'],
    ['--permission-mode', 'dontAsk', '--permission-prompts', 'none'],
  ].flat();
}

/** Without an API key, which would be charged instead of the plan, and without the traces of a session around this process. */
function toClaudeVariables(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const {
    ANTHROPIC_API_KEY: _key,
    CLAUDECODE: _session,
    CLAUDE_CODE_ENTRYPOINT: _entrypoint,
    ...rest
  } = variables;
  return {
    ...rest,
    KEEPSAKE_CAPTURE: 'off',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    MCP_TOOL_TIMEOUT: '600000',
    ENABLE_TOOL_SEARCH: 'false',
  };
}

function toBlocks({ text, images }: ChatContent): object[] {
  return [
    { type: 'text', text },
    ...images.map(({ mediaType, data }) => ({
      type: 'image',
      source: { type: 'base64', media_type: mediaType, data: Buffer.from(data).toString('base64') },
    })),
  ];
}
