import { AppError } from '../app/index.ts';

/** How a client reaches the vault: it starts a command, or calls an address. */
export type Server =
  | { kind: 'stdio'; command: string; args: string[] }
  | { kind: 'http'; url: string; tokenVariable: string };

/** The value of an entry in a client's configuration. */
export type Entry = Record<string, string | string[] | Record<string, string>>;

/** The name of our entry, everywhere. */
export const entryName = 'keepsake';

/** Keys that make sense for one way of reaching a server only; some clients refuse a mixture. */
const keysOf = {
  stdio: ['command', 'args', 'env', 'envFile', 'env_vars', 'cwd'],
  http: ['url', 'httpUrl', 'headers', 'bearer_token_env_var', 'http_headers', 'env_http_headers'],
};

/** Keys that must not stay in an entry when it becomes one of this kind. */
export function foreignKeys(kind: Server['kind']): string[] {
  return ['type', ...keysOf[kind === 'stdio' ? 'http' : 'stdio']];
}

/** The address of the MCP endpoint; that of the service alone will do. */
export function parseServiceUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new AppError('bad-input', `${text} is not an address such as http://127.0.0.1:4319`);
  if (url.username !== '' || url.password !== '')
    throw new AppError('bad-input', 'an address carries no password', {
      mend: 'use a token: keepsake token create',
    });
  if (url.pathname === '/') url.pathname = '/mcp';
  return url.href;
}

/** Whether what is sent there could be read on the way. */
export function isUnprotected(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

export function parseVariableName(text: string): string {
  if (/^[A-Za-z_]\w*$/.test(text)) return text;
  throw new AppError('bad-input', `${text} is not the name of an environment variable`, {
    mend: 'the token itself belongs in the variable',
  });
}
