import { AppError } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { entryFor } from './client.ts';
import type { Client } from './client.ts';
import { findClients } from './find-clients.ts';
import { localServer } from './local-server.ts';
import { readMachine } from './machine.ts';
import { entryName } from './server.ts';
import type { Server } from './server.ts';
import { ownCommand, withEntry } from './with-entry.ts';

export type Connectable = {
  name: string;
  title: string;
  isFound: boolean;
  /** Null where the client's own command has to be used. */
  file: string | null;
  /** Null where this vault cannot be written down for this client. */
  text: string | null;
  command: string | null;
  /** An address that opens the client and has it ask whether to install; null where it knows none. */
  link: string | null;
};

/** Every client with what connects it to a vault on this machine. */
export function connectable(given: {
  vault: string;
  state: string | undefined;
  environment: Environment;
}): Connectable[] {
  const machine = readMachine(given.environment);
  const server = localServer({ ...given, isReadOnly: false, byPath: null });
  return findClients(machine, given.environment.searchPath).map(({ client, isFound }) => ({
    name: client.name,
    title: client.title,
    isFound,
    file: client.personal?.(machine) ?? null,
    text: written(() => withEntry(client, server, '').trimEnd()),
    command: ownCommand(client, server, machine.platform),
    link: written(() => installLink(client, server)),
  }));
}

/** A path that a client would misread is said by `keepsake connect`, which knows what to do. */
function written(make: () => string | null): string | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function installLink(client: Client, server: Server): string | null {
  const entry = entryFor(client, server);
  if (client.name === 'cursor') {
    const config = Buffer.from(JSON.stringify(entry)).toString('base64');
    const query = new URLSearchParams({ name: entryName, config });
    return `cursor://anysphere.cursor-deeplink/mcp/install?${query.toString()}`;
  }
  if (client.name === 'vscode')
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: entryName, ...entry }))}`;
  return null;
}
