import type { Duplex, Readable, Writable } from 'node:stream';
import type { Owner } from '../app/index.ts';
import { clientHeaders, clientPath } from './take-clients.ts';

/** Who serves MCP: lines to it, lines from it. */
export type Peer = { readable: Readable; writable: Writable };

type Relay = {
  peer: Peer;
  /** The next, when that one is gone. */
  connect: () => Promise<Peer>;
  input: Readable;
  output: Writable;
};

/**
 * Carries the lines of an MCP client to whoever serves the vault, and back, without understanding more of them than it needs to
 * go on with another one when that one is gone: what the client is, what it listens to, and what is not answered yet.
 */
export async function relayMcp({ peer: first, connect, input, output }: Relay): Promise<void> {
  const session = rememberSession();
  let peer = first;
  let isOver = false;
  const answering = (async () => {
    for (;;) {
      try {
        for await (const line of linesOf(peer.readable)) if (session.heard(line)) await write(output, line);
      } catch {
        // It is gone.
      }
      if (isOver) return;
      peer = await connect();
      for (const line of session.again()) await write(peer.writable, line);
    }
  })();
  for await (const line of linesOf(input)) {
    session.said(line);
    // What is lost with somebody who is gone is said again to the next.
    await write(peer.writable, line).catch(() => undefined);
  }
  isOver = true;
  peer.writable.end();
  await answering;
}

/** A connection to the process that serves a vault; null when that has none to give. */
export function dial(
  { url, secret }: Owner,
  { connection, isReadOnly }: { connection: string; isReadOnly: boolean },
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
    request(`${url}${clientPath}`, { headers, agent: false })
      .once('upgrade', (_, socket: Duplex) => {
        socket.on('error', () => socket.destroy());
        resolve(socket);
      })
      .once('response', (response) => {
        response.resume();
        resolve(null);
      })
      .once('error', () => resolve(null))
      .end();
  });
}

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

function write(stream: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
