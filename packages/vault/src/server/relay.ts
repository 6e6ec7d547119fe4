import type { Duplex, Readable, Writable } from 'node:stream';
import type { Owner } from '../app/index.ts';
import { clientHeaders, clientPath } from './take-clients.ts';
import type { ClientConnection } from './take-clients.ts';

type Relay = {
  /** Opens a stream to a process that serves MCP: once at the start, and again each time the stream ends. */
  connect: () => Promise<Duplex>;
  input: Readable;
  output: Writable;
};

/**
 * Carries lines between an MCP client and the process that serves the vault until the client is gone. It understands only
 * what it needs to continue with the next process: what the client is, what it subscribes to, and what is not answered yet.
 * Rejects when `connect` does.
 */
export async function relayMcp({ connect, input, output }: Relay): Promise<void> {
  const session = rememberSession();
  let peer = await connect();
  let hasClient = true;
  const answering = (async () => {
    for (;;) {
      try {
        // In one piece, so that no new request of the client comes before `initialize`.
        await write(peer, session.again());
        if (!hasClient) peer.end();
        for await (const line of linesOf(peer)) if (session.heard(line)) await write(output, [line]);
      } catch {
        // The connection is lost.
      }
      if (!hasClient) return;
      peer = await connect();
    }
  })();
  answering.catch(() => input.destroy());
  try {
    for await (const line of linesOf(input)) {
      session.said(line);
      // A line that is lost with the connection is sent again to the next process.
      await write(peer, [line]).catch(() => undefined);
    }
  } catch {
    // The stream was destroyed, which ends it as well.
  }
  hasClient = false;
  peer.end();
  await answering;
}

/** Opens a connection to the process that serves a vault; null when it refuses or does not answer. */
export function dial(
  { url, secret }: Owner,
  { connection, isReadOnly }: ClientConnection,
): Promise<Duplex | null> {
  // Not an import: it is loaded where it is used.
  const { request } = process.getBuiltinModule('node:http');
  const headers = {
    connection: 'upgrade',
    upgrade: 'keepsake',
    authorization: `Bearer ${secret}`,
    [clientHeaders.connection]: connection,
    ...(isReadOnly && { [clientHeaders.isReadOnly]: 'true' }),
  };
  return new Promise((resolve) => {
    const asking = request(`${url}${clientPath}`, { headers, agent: false, timeout: dialTimeoutMs })
      .once('upgrade', (_, socket) => {
        socket.setTimeout(0);
        socket.on('error', () => socket.destroy());
        resolve(socket);
      })
      .once('response', (response) => {
        response.resume();
        resolve(null);
      })
      .once('timeout', () => asking.destroy())
      .once('error', () => resolve(null));
    asking.end();
  });
}

/** A process that is stopped still accepts connections, and never answers. */
const dialTimeoutMs = 4_000;

type Message = { id?: unknown; method?: string };

/** Requests that say what a client is and listens to: a server that has not heard them cannot go on. */
const lasting = new Set([
  'initialize',
  'notifications/initialized',
  'resources/subscribe',
  'logging/setLevel',
]);

function rememberSession(): {
  said(line: string): void;
  heard(line: string): boolean;
  again(): string[];
} {
  const kept: string[] = [];
  const open = new Map<unknown, string>();
  return {
    said(line) {
      const { id, method } = parse(line);
      if (method === undefined) return;
      if (lasting.has(method)) kept.push(line);
      if (id !== undefined) open.set(id, line);
    },
    /** Whether the client is to be told: an answer that it has already is none. */
    heard(line) {
      const { id, method } = parse(line);
      return method !== undefined || id === undefined || id === null || open.delete(id);
    },
    again: () => [...kept, ...[...open.values()].filter((line) => !kept.includes(line))],
  };
}

function parse(line: string): Message {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return {};
  }
}

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at));
      yield Buffer.concat(parts).toString();
      parts = [];
      from = at + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
}

function write(stream: Writable, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    stream.write(`${lines.join('\n')}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
