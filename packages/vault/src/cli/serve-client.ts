import { duplexPair } from 'node:stream';
import type { Duplex } from 'node:stream';
import type { Environment } from '../app/index.ts';
import { startVaultHost } from '../server/index.ts';
import type { ClientConnection } from '../server/index.ts';
import type { Io } from './io.ts';
import { createLog } from './log-line.ts';

type VaultLocation = { vault?: string | undefined; state?: string | undefined; environment: Environment };

export type ServedClient = {
  /** The MCP connection. Destroyed when another process takes over the vault. */
  stream: Duplex;
  close(): Promise<void>;
};

/** Serves the vault from this process, and MCP to one client; null when another process already serves the vault. */
export async function serveClient(
  io: Io,
  where: VaultLocation,
  about: ClientConnection,
): Promise<ServedClient | null> {
  const write = createLog(io);
  const log = (entry: object): void => {
    if ('level' in entry && entry.level === 'error') write(entry);
  };
  const [stream, served] = duplexPair();
  let closing: Promise<void> | null = null;
  const host = await startVaultHost({
    ...where,
    log,
    onLeaseLost() {
      stream.destroy();
      close().catch((error: unknown) => log({ level: 'error', message: String(error) }));
    },
  });
  if (host === null) return null;
  const close = (): Promise<void> => (closing ??= host.close());
  host.serveClient(served, about);
  return { stream, close };
}
