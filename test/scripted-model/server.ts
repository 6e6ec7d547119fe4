import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { openai } from './openai.ts';
import type { Protocol } from './protocol.ts';
import { responses } from './responses.ts';
import type { SeenRequest } from './seen-request.ts';
import { errorBody, sendTurn } from './send.ts';
import { readForm, transcription } from './transcription.ts';
import type { Turn } from './turn.ts';

export type { SeenRequest } from './seen-request.ts';
export type { Call, Turn } from './turn.ts';

type Decide = (request: SeenRequest, index: number) => Turn | Promise<Turn>;

type Inquiry = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

export type ScriptedModel = {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** The base URL to configure for a model of any protocol. */
  baseUrl: string;
  /** In order of arrival. */
  requests: SeenRequest[];
  /** Appends turns to the script. After the script, `respond` decides; without it, a request is an error. */
  script(...turns: Turn[]): void;
  /**
   * Decides responses after the script; `index` is the position in `requests`. If it throws, the client receives the
   * error.
   */
  respond(decide: Decide): void;
  /**
   * Lets the script answer the requests to repair an update. By default, they are not part of `requests`, and the model
   * repeats its last text without changing anything.
   */
  answerRepairs(): void;
  /** Sets the response for a path such as `/models`; a string is sent as is. Other paths are not found. */
  tell(path: string, body: object | string, status?: number): void;
  /** Requests for paths set with `tell`, and for unknown paths. */
  inquiries: Inquiry[];
  close(): Promise<void>;
};

/** A local server with the APIs of model providers that responds and fails as scripted. */
export async function startScriptedModel(port = 0): Promise<ScriptedModel> {
  const requests: SeenRequest[] = [];
  const turns: Turn[] = [];
  let decide: Decide = () => failure('the script is over');

  let answersRepairs = false;
  let lastText = 'Done.';

  const inquiries: Inquiry[] = [];
  const told = new Map<string, { status: number; body: string }>();
  const answerInquiry = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = incoming;
    inquiries.push({ method, path, headers, body: (await bytesOf(incoming)).toString() });
    const [, known] = [...told].find(([end]) => path.endsWith(end)) ?? [];
    const unknown = { status: 404, body: errorBody(`no such path: ${method} ${path}`) };
    const { status, body } = known ?? unknown;
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };

  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const protocol = protocolOf(incoming);
    if (!protocol) {
      await answerInquiry(incoming, response);
      return;
    }
    const request = await readRequest(incoming, protocol);
    if (!answersRepairs && request.userTexts?.at(-1)?.includes('a check found problems') === true) {
      await sendTurn(response, protocol, request, { text: lastText });
      return;
    }
    const index = requests.push(request) - 1;
    const turn = turns.shift() ?? (await decide(request, index));
    if ('text' in turn) lastText = turn.text ?? lastText;
    await sendTurn(response, protocol, request, turn);
  };

  const server = createServer((incoming, response) => {
    respond(incoming, response).catch((error: unknown) => {
      const { status, headers, body } = failure(String(error));
      if (response.headersSent) response.destroy();
      else response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    inquiries,
    tell: (path, body, status = 200) =>
      void told.set(path, { status, body: typeof body === 'string' ? body : JSON.stringify(body) }),
    script: (...more) => void turns.push(...more),
    respond(next) {
      decide = next;
    },
    answerRepairs() {
      answersRepairs = true;
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** A mistake in the test. Retrying is pointless, but the AI SDK does so anyway, so it is told to retry quickly. */
function failure(message: string) {
  return {
    fault: 'status',
    status: 500,
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false', 'retry-after-ms': '0' },
    body: errorBody(`scripted model: ${message}`),
  } as const;
}

function protocolOf({ method, url = '/' }: IncomingMessage): Protocol | undefined {
  const path = url.split('?', 1)[0] ?? url;
  const protocols = [openai, anthropic, responses, transcription];
  return method === 'POST' ? protocols.find((protocol) => path.endsWith(protocol.path)) : undefined;
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function readRequest(incoming: IncomingMessage, protocol: Protocol): Promise<SeenRequest> {
  const bytes = await bytesOf(incoming);
  const rawBody = bytes.toString('utf8');
  const { body, recording } =
    protocol === transcription
      ? await readForm(bytes, incoming.headers)
      : { body: JSON.parse(rawBody) as Record<string, unknown>, recording: null };
  return {
    protocol: protocol.name,
    path: incoming.url ?? '/',
    headers: incoming.headers,
    body,
    rawBody,
    isStreaming: body['stream'] === true,
    recording,
    ...protocol.read(body),
  };
}
