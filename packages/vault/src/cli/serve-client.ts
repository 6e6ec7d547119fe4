import { duplexPair } from 'node:stream';
import type { Duplex } from 'node:stream';
import type { Environment } from '../app/index.ts';
import { startHost } from '../server/index.ts';
import type { ClientConnection } from '../server/index.ts';
import type { Io } from './io.ts';

type Where = { vault?: string | undefined; state?: string | undefined; environment: Environment };

export type ServedClient = {
  /** Where MCP is served. Destroyed when another process has taken over. */
  stream: Duplex;
  close(): Promise<void>;
};

/** Serves the vault in this process, and MCP to one client; null when another process serves the vault. */
export async function serveClient(
  { stderr }: Io,
  where: Where,
  about: ClientConnection,
): Promise<ServedClient | null> {
  const log = (entry: object): void =>
    void ('level' in entry && entry.level === 'error' && stderr.write(`${JSON.stringify(entry)}\n`));
  const [stream, served] = duplexPair();
  let closing: Promise<void> | null = null;
  const host = await startHost({
    ...where,
    log,
    onLost() {
      stream.destroy();
      close().catch((error: unknown) => log({ level: 'error', message: String(error) }));
    },
  });
  if (host === null) return null;
  const close = (): Promise<void> => (closing ??= host.close());
  host.serveClient(served, about);
  return { stream, close };
}
