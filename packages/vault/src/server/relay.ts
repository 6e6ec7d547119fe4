import type { Duplex, Readable, Writable } from 'node:stream';
import type { OwnerProcess } from '../app/index.ts';
import { mcpUpgradeHeaders, mcpUpgradePath } from './mcp-upgrade.ts';
import type { ClientConnection } from './mcp-upgrade.ts';

type Relay = {
  /** Opens a stream to a process that serves MCP: once at the start, and again each time the stream ends. */
  connect: () => Promise<Duplex>;
  input: Readable;
  output: Writable;
};

/**
 * Carries lines between an MCP client and the process that serves the vault until the client is gone. It parses only
 * what it needs to continue with the next process: the session setup and the unanswered requests of the client. Rejects
 * when `connect` does.
 */
export async function relayMcp({ connect, input, output }: Relay): Promise<void> {
  const session = createSessionLog();
  let peer = await connect();
  let hasClient = true;
  const answering = (async () => {
    for (;;) {
      try {
        // In one write, so that no new request of the client comes before `initialize`.
        await write(peer, session.linesToReplay());
        if (!hasClient) peer.end();
        for await (const line of readLines(peer))
          if (session.shouldForward(line)) await write(output, [line]);
      } catch {
        // The connection is lost.
      }
      if (!hasClient) return;
      peer = await connect();
    }
  })();
  answering.catch(() => input.destroy());
  try {
    for await (const line of readLines(input)) {
      session.recordRequest(line);
      // A line that is lost with the connection is sent again to the next process.
      await write(peer, [line]).catch(() => undefined);
    }
  } catch {
    // A destroyed input counts as ended.
  }
  hasClient = false;
  peer.end();
  await answering;
}

/** Opens a connection to the process that serves a vault; null when it refuses or does not answer. */
export function dial(
  { url, secret }: OwnerProcess,
  { connection, isReadOnly }: ClientConnection,
): Promise<Duplex | null> {
  // Not a static import, so that the module is loaded only when it is needed.
  const { request } = process.getBuiltinModule('node:http');
  const headers = {
    connection: 'upgrade',
    upgrade: 'keepsake',
    authorization: `Bearer ${secret}`,
    [mcpUpgradeHeaders.connection]: connection,
    ...(isReadOnly && { [mcpUpgradeHeaders.isReadOnly]: 'true' }),
  };
  return new Promise((resolve) => {
    const upgradeRequest = request(`${url}${mcpUpgradePath}`, {
      headers,
      agent: false,
      timeout: dialTimeoutMs,
    })
      .once('upgrade', (_, socket) => {
        socket.setTimeout(0);
        socket.on('error', () => socket.destroy());
        resolve(socket);
      })
      .once('response', (response) => {
        response.resume();
        resolve(null);
      })
      .once('timeout', () => upgradeRequest.destroy())
      .once('error', () => resolve(null));
    upgradeRequest.end();
  });
}

/** A stopped process still accepts connections but never responds. */
const dialTimeoutMs = 4_000;

type Message = { id?: unknown; method?: string };

/** Requests that set up the session; they are replayed to the next process. */
const sessionMethods = new Set([
  'initialize',
  'notifications/initialized',
  'resources/subscribe',
  'logging/setLevel',
]);

function createSessionLog(): {
  recordRequest(line: string): void;
  shouldForward(line: string): boolean;
  linesToReplay(): string[];
} {
  const sessionLines: string[] = [];
  const pendingRequests = new Map<unknown, string>();
  return {
    recordRequest(line) {
      const { id, method } = parse(line);
      if (method === undefined) return;
      if (sessionMethods.has(method)) sessionLines.push(line);
      if (id !== undefined) pendingRequests.set(id, line);
    },
    /** Whether to forward the line: the client must not get a second response to the same request. */
    shouldForward(line) {
      const { id, method } = parse(line);
      return method !== undefined || id === undefined || id === null || pendingRequests.delete(id);
    },
    linesToReplay: () => [
      ...sessionLines,
      ...[...pendingRequests.values()].filter((line) => !sessionLines.includes(line)),
    ],
  };
}

function parse(line: string): Message {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return {};
  }
}

async function* readLines(stream: Readable): AsyncGenerator<string> {
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
