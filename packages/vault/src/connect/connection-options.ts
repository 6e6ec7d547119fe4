import { AppError } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { createEntry } from './client.ts';
import type { Client } from './client.ts';
import { detectClients } from './find-clients.ts';
import { createStdioServer } from './local-server.ts';
import { readPlatform } from './platform.ts';
import { entryName } from './server.ts';
import type { ServerEndpoint } from './server.ts';
import { formatAddCommand, addEntry } from './with-entry.ts';

export type ConnectionOption = {
  name: string;
  title: string;
  isFound: boolean;
  /** Null if the client's own command has to be used. */
  file: string | null;
  /** Null if the path of this vault cannot be expressed in this client's configuration. */
  text: string | null;
  command: string | null;
  /** A link that opens the client and asks the user to confirm the installation; null if the client has no such links. */
  link: string | null;
};

/** Lists all clients with the configuration that connects each to a vault on this machine. */
export function listConnectionOptions(options: {
  vault: string;
  state: string | undefined;
  environment: Environment;
}): ConnectionOption[] {
  const machine = readPlatform(options.environment);
  const server = createStdioServer({ ...options, isReadOnly: false, absoluteCommand: null });
  return detectClients(machine, options.environment.searchPath).map(({ client, isFound }) => ({
    name: client.name,
    title: client.title,
    isFound,
    file: client.userConfigFile?.(machine) ?? null,
    text: nullOnAppError(() => addEntry(client, server, '').trimEnd()),
    command: formatAddCommand(client, server, machine.platform),
    link: nullOnAppError(() => installLink(client, server)),
  }));
}

/** Returns null for a path that a client would misread; `keepsake connect` explains that problem. */
function nullOnAppError(make: () => string | null): string | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function installLink(client: Client, server: ServerEndpoint): string | null {
  const entry = createEntry(client, server);
  if (client.name === 'cursor') {
    const config = Buffer.from(JSON.stringify(entry)).toString('base64');
    const query = new URLSearchParams({ name: entryName, config });
    return `cursor://anysphere.cursor-deeplink/mcp/install?${query.toString()}`;
  }
  if (client.name === 'vscode')
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: entryName, ...entry }))}`;
  return null;
}
