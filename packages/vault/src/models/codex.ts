import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withAbort } from './abortable.ts';
import type { ChatCall, ChatContent, ChatImage, ChatModel, ChatRequest } from './chat.ts';
import { codexNotSignedIn, createCodexEventReader } from './codex-events.ts';
import type { CodexNotification } from './codex-events.ts';
import { ModelError } from './error.ts';
import type { ModelInfo } from './fetch-model-info.ts';
import { createHeldCalls, deliverResults } from './held-calls.ts';
import type { HeldResult } from './held-calls.ts';
import { createProgramChatModel, exitError, notRunningError } from './program-chat.ts';
import type { ProgramEvents, ProgramSession } from './program-chat.ts';
import { createLinkFolder, createRunFolder } from './program-folder.ts';
import { readProgram, startProgram } from './program-process.ts';
import type { InstalledProgram } from './program-process.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';
import { toToolSchema } from './tool-schema.ts';

/** The version that the tests run. */
const testedVersion = '0.166.0';

type Options = {
  name: string;
  endpoint: RemoteEndpoint;
  timeoutSeconds: number;
  program: InstalledProgram;
};

/** The user's own Codex as a chat model, with its sign-in and without its tools, hooks, plugins and settings. */
export function createCodexModel(options: Options): ChatModel {
  return createProgramChatModel({
    ...options,
    start: (request, events) => startCodex(options, request, events),
  });
}

/** Whether Codex is signed in, without a model call. Throws a `ModelError` if it is not. */
export async function fetchCodexInfo(program: InstalledProgram, signal: AbortSignal): Promise<ModelInfo> {
  findSignIn(program);
  const version = await readProgram(program, ['--version'], signal);
  signal.throwIfAborted();
  if (version.code !== 0) throw notRunningError(program.file, version.output);
  const number = version.output.split(' ').at(-1) ?? '';
  return {
    contextTokens: null,
    others: null,
    status: `version ${number} is signed in (tested with ${testedVersion})`,
  };
}

/** The file with the sign-in of Codex. It is never read here. */
function findSignIn({ variables, home }: InstalledProgram): string {
  const file = join(variables['CODEX_HOME'] || join(home, '.codex'), 'auth.json');
  if (!existsSync(file)) throw codexNotSignedIn(`${file} does not exist`);
  return file;
}

const disabledFeatures = [
  'shell_tool',
  'apps',
  'plugins',
  'hooks',
  'multi_agent',
  'image_generation',
  'view_image',
  'sleep_tool',
  'goals',
  'skill_search',
  'tool_suggest',
  'memories',
];

const settings = [
  'web_search="disabled"',
  'project_doc_max_bytes=0',
  'skills.bundled.enabled=false',
  'skills.include_instructions=false',
  'include_environment_context=false',
  'include_permissions_instructions=false',
  // Longer results would be cut in the middle. The agent loop has limits of its own.
  'tool_output_token_limit=1000000',
];

type Message = CodexNotification & {
  id?: number;
  result?: { thread?: { id?: string } };
  error?: { message?: string };
};

async function startCodex(
  { name, endpoint, program }: Options,
  { instructions, tools, signal }: ChatRequest,
  events: ProgramEvents,
): Promise<ProgramSession> {
  const signIn = findSignIn(program);
  // A folder of its own, because the settings, servers and instructions of the user cannot be switched off otherwise.
  const codexHome = join(program.folder, 'codex');
  createLinkFolder(codexHome, 'auth.json', signIn);
  const run = createRunFolder(program.folder, {});
  const held = createHeldCalls();
  const started = Promise.withResolvers<string>();
  let isClosed = false;
  let calls: readonly ChatCall[] = [];
  const fail = (error: ModelError): void => {
    started.reject(error);
    events.onFailure(error);
  };
  const read = createCodexEventReader(endpoint, {
    ...events,
    onAnswer(answer) {
      ({ calls } = answer);
      events.onAnswer(answer);
    },
  });
  const child = startProgram(program.file, {
    args: codexArguments(),
    cwd: run.workFolder,
    variables: { ...program.variables, CODEX_HOME: codexHome, KEEPSAKE_CAPTURE: 'off' },
    onEnd(problem) {
      if (!isClosed) fail(exitError(name, program, problem));
    },
    onValue(value) {
      const message = value as Message;
      if (message.id === undefined) return read(message);
      if (message.method === undefined) return receive(message);
      if (message.method !== 'item/tool/call') return refuse(message.id);
      return holdCall(message);
    },
  });
  const refuse = (id: number): void =>
    child.writeLine({ id, error: { code: -32601, message: 'not supported' } });
  const receive = ({ id, result, error }: Message): void => {
    if (error !== undefined) fail(unsupportedError(error.message ?? ''));
    else if (id === requestIds.thread) started.resolve(result?.thread?.id ?? '');
  };
  const holdCall = ({ id, params }: Message): void => {
    const {
      callId,
      tool = '',
      arguments: input,
    } = (params ?? {}) as {
      callId?: string;
      tool?: string;
      arguments?: unknown;
    };
    held.hold({
      id: callId,
      tool,
      input,
      answer: (result) => child.writeLine({ id, result: toOutput(result) }),
    });
  };
  const close = (): void => {
    isClosed = true;
    child.kill();
    run.remove();
  };
  const request = (id: number, method: string, params: object): void =>
    child.writeLine({ id, method, params });
  const clientInfo = { name: 'keepsake', title: 'Keepsake', version: '1' };
  request(requestIds.initialize, 'initialize', { clientInfo, capabilities: { experimentalApi: true } });
  child.writeLine({ method: 'initialized' });
  request(requestIds.thread, 'thread/start', {
    ...threadSettings,
    model: endpoint.model,
    baseInstructions: instructions,
    cwd: run.workFolder,
    dynamicTools: tools.map(({ name: tool, description, input }) => ({
      type: 'function',
      name: tool,
      description,
      inputSchema: toToolSchema(input),
    })),
  });
  const threadId = await withAbort(signal, () => started.promise).catch((error: unknown) => {
    close();
    throw error;
  });
  return {
    send(messages) {
      const input = deliverResults(held, messages, { calls, tools }).flatMap(toInput);
      if (input.length > 0) request(requestIds.turn, 'turn/start', { threadId, input });
    },
    close,
  };
}

function codexArguments(): string[] {
  return [
    'app-server',
    ...disabledFeatures.flatMap((feature) => ['--disable', feature]),
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
}

/** Without access to files and commands, and with a notification when a response is complete. */
const threadSettings = {
  ephemeral: true,
  approvalPolicy: 'never',
  sandbox: 'read-only',
  environments: [],
  experimentalRawEvents: true,
};

const requestIds = { initialize: 1, thread: 2, turn: 3 };

function unsupportedError(problem: string): ModelError {
  return new ModelError('rejected', `Codex refused a request (${problem})`, {
    hint: `update Codex, or choose another model; tested with Codex ${testedVersion}`,
  });
}

function toInput({ text, images }: ChatContent): object[] {
  return [
    { type: 'text', text, text_elements: [] },
    ...images.map((image) => ({ type: 'image', url: toDataUrl(image) })),
  ];
}

/** The result, followed by what the user says about it. */
function toOutput({ result, userContent }: HeldResult): object {
  const all = [{ text: result.text, images: result.kind === 'result' ? result.images : [] }, ...userContent];
  return {
    success: result.kind === 'result',
    contentItems: all.flatMap(({ text, images }) => [
      { type: 'inputText', text },
      ...images.map((image) => ({ type: 'inputImage', imageUrl: toDataUrl(image) })),
    ]),
  };
}

function toDataUrl({ mediaType, data }: ChatImage): string {
  return `data:${mediaType};base64,${Buffer.from(data).toString('base64')}`;
}
