import type { Readable, Writable } from 'node:stream';
import { packageVersion } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { attach, serveMcpStream } from '../server/index.ts';
import type { Io } from './io.ts';

type Where = { vault?: string | undefined; state?: string | undefined; environment: Environment };
type Client = { connection: string; isReadOnly: boolean; input: Readable; output: Writable };

/** Serves one MCP client in this process: over the vault itself, or whoever serves that. */
export async function serveClient(
  { stderr }: Io,
  where: Where,
  { isReadOnly, ...streams }: Client,
): Promise<{ closed: Promise<void>; close(): Promise<void> }> {
  const log = (entry: object): void =>
    void ('level' in entry && entry.level === 'error' && stderr.write(`${JSON.stringify(entry)}\n`));
  const attached = await attach({ ...where, log, isReadOnly });
  const stream = serveMcpStream(
    attached.backend,
    {
      isReadOnly,
      version: packageVersion(),
      origin: 'mcp',
      onError: (error) => log({ level: 'error', message: String(error) }),
    },
    streams,
  );
  return { closed: stream.closed.then(() => attached.close()), close: () => stream.close() };
}
