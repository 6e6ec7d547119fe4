import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerChat, answerEmbeddings, answerRerank } from './answers.ts';
import { serveFile } from './files.ts';
import type { ServedFile } from './files.ts';

/** How the server handles one request. */
type Step =
  /** Responds normally, which is also the default after the last scripted step. */
  | { do: 'answer' }
  | { do: 'status'; status: number; body?: string; headers?: Record<string, string> }
  /** Responds with success and this body: a string as is, anything else as JSON. */
  | { do: 'send'; body: unknown }
  /** Returns this text from the chat endpoint. */
  | { do: 'say'; text: string }
  /** Never responds. */
  | { do: 'hang' }
  /**
   * Starts a normal response and closes the connection after this many bytes of the body: immediately, or when `when`
   * resolves.
   */
  | { do: 'cut'; after: number; when?: Promise<void> }
  /** The same, but keeps the connection open without sending more. */
  | { do: 'stall'; after: number };

type SeenRequest = { path: string; headers: IncomingMessage['headers']; body: unknown };

export type ScriptedModels = {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** The base URL to configure for a model. */
  baseUrl: string;
  /** In order of arrival. */
  requests: SeenRequest[];
  /** Sets how the next requests for paths that end with `path` are handled. */
  script(path: string, ...steps: Step[]): void;
  /** Serves a file for download and returns its URL. */
  serve(path: string, file: ServedFile): string;
  close(): Promise<void>;
};

/** A local server that behaves like model servers and model hosts, and fails as scripted. */
export async function startScriptedModels(): Promise<ScriptedModels> {
  const requests: SeenRequest[] = [];
  const scripts = new Map<string, Step[]>();
  const files = new Map<string, ServedFile>();
  const server = createServer((request, response) => {
    void respond(request, response);
  });

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    const body = await readJson(request);
    requests.push({ path, headers: request.headers, body });
    const script = [...scripts].find(([end]) => path.endsWith(end))?.[1];
    const step = script?.shift() ?? { do: 'answer' };
    if (step.do === 'hang') return;
    if (step.do === 'status') {
      response.writeHead(step.status, step.headers).end(step.body ?? '');
      return;
    }
    if (step.do === 'send') sendJson(response, step.body);
    else if (step.do === 'say') sendJson(response, answerChat(body, step.text));
    else {
      if (step.do !== 'answer') breakOff(response, step);
      if (!serveFile(files, request, response)) answer(path, body, response);
    }
  };

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    script: (path, ...steps) => void scripts.set(path, steps),
    serve(path, file) {
      files.set(path, file);
      return origin + path;
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

function answer(path: string, body: unknown, response: ServerResponse): void {
  if (path.endsWith('/embeddings')) sendJson(response, answerEmbeddings(body));
  else if (path.endsWith('/chat/completions')) sendJson(response, answerChat(body));
  else if (path.endsWith('/rerank')) sendJson(response, answerRerank(body));
  else response.writeHead(404).end('not found');
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Sends only the first `after` bytes of the response body. */
function breakOff(response: ServerResponse, step: Extract<Step, { do: 'cut' | 'stall' }>): void {
  const { after } = step;
  const end = response.end.bind(response);
  response.end = (chunk?: unknown) => {
    const bytes = Buffer.from(chunk as string | Buffer);
    if (bytes.length <= after) return end(bytes);
    if (!response.headersSent) response.setHeader('content-length', bytes.length);
    response.write(bytes.subarray(0, after), () => {
      if (step.do === 'cut') void Promise.resolve(step.when).then(() => response.destroy());
    });
    return response;
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? null : JSON.parse(text);
}
