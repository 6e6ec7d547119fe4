import { AppError } from '../app/index.ts';

/** How a client reaches the vault: by starting a command or by calling a URL. */
export type ServerEndpoint =
  | { kind: 'stdio'; command: string; args: string[] }
  | { kind: 'http'; url: string; tokenVariable: string };

/** The value of an entry in a client's configuration. */
export type ConfigEntry = Record<string, string | string[] | Record<string, string>>;

/** The name of Keepsake's entry in every configuration file. */
export const entryName = 'keepsake';

/** Keys that are valid for only one transport; some clients reject a mixture. */
const transportKeys = {
  stdio: ['command', 'args', 'env', 'envFile', 'env_vars', 'cwd'],
  http: ['url', 'httpUrl', 'headers', 'bearer_token_env_var', 'http_headers', 'env_http_headers'],
};

/** Keys to remove from an entry that is changed to this transport. */
export function getConflictingKeys(kind: ServerEndpoint['kind']): string[] {
  return ['type', ...transportKeys[kind === 'stdio' ? 'http' : 'stdio']];
}

/** Returns the URL of the MCP endpoint; `/mcp` is added to a URL without a path. */
export function parseServiceUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new AppError('bad-input', `${text} is not a URL such as http://127.0.0.1:4319`);
  if (url.username !== '' || url.password !== '')
    throw new AppError('bad-input', 'the URL must not contain credentials', {
      hint: 'use a token: keepsake token create',
    });
  if (url.pathname === '/') url.pathname = '/mcp';
  return url.href;
}

/** Whether requests to this URL are sent unencrypted over a network. */
export function isPlaintextUrl(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

export function parseVariableName(text: string): string {
  if (/^[A-Za-z_]\w*$/.test(text)) return text;
  throw new AppError('bad-input', `${text} is not the name of an environment variable`, {
    hint: 'pass the name of a variable that contains the token, not the token itself',
  });
}
