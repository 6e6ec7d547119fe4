import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { openai } from './openai.ts';
import type { Protocol } from './protocol.ts';
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
  /** What to give as the base URL of a model, whichever its protocol. */
  baseUrl: string;
  /** In the order they came. */
  requests: SeenRequest[];
  /** Adds turns to those that are still to come. When they are over, `respond` decides, or else it is an error. */
  script(...turns: Turn[]): void;
  /** Decides what the script does not; `index` is the place in `requests`. If it throws, the client gets to know. */
  respond(decide: Decide): void;
  /** What it tells about itself below this path, as `/models`, a text as it is; else it does not know the path. */
  tell(path: string, body: object | string, status?: number): void;
  /** What it was asked about itself, and what it was asked that it does not know. */
  inquiries: Inquiry[];
  close(): Promise<void>;
};

/** A server on this machine that speaks as models do, says what the script says, and fails where it says so. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const requests: SeenRequest[] = [];
  const turns: Turn[] = [];
  let decide: Decide = () => failure('the script is over');

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
    const index = requests.push(request) - 1;
    await sendTurn(response, protocol, request, turns.shift() ?? (await decide(request, index)));
  };

  const server = createServer((incoming, response) => {
    respond(incoming, response).catch((error: unknown) => {
      const { status, headers, body } = failure(String(error));
      if (response.headersSent) response.destroy();
      else response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
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
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** A mistake of the test. Trying again is no use, and as the AI SDK tries all the same, it is told to be quick. */
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
  const protocols = [openai, anthropic, transcription];
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
