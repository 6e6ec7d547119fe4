import { onTestFinished } from 'vitest';
import { otherReason } from '../../packages/vault/src/contract/index.ts';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import {
  createAuth,
  createHttpApp,
  openKeptSessions,
  openPeople,
  openTokens,
} from '../../packages/vault/src/server/index.ts';
import type { Auth, HttpParts, McpDoor } from '../../packages/vault/src/server/index.ts';
import { agentVault } from '../agents/agent-vault.ts';
import type { AgentVault, AgentVaultOptions } from '../agents/agent-vault.ts';
import type { Files } from '../temporary-vault.ts';

export const port = 4100;
export const host = `127.0.0.1:${port}`;
export const origin = `http://${host}`;

export type Send = {
  method?: string;
  /** A secret, or null for none; the one that may write unless told otherwise. */
  token?: string | null;
  headers?: Record<string, string>;
  /** A value is sent as JSON. */
  json?: unknown;
  body?: RequestInit['body'];
};

export type HttpVault = AgentVault & {
  app: ReturnType<typeof createHttpApp>;
  auth: Auth;
  owner: string;
  reader: string;
  writer: string;
  log: Record<string, unknown>[];
  /** To an address of the vault (`/updates`), or any other (`//api/health`). */
  send(path: string, options?: Send): Promise<Response>;
  /** The body of an answer that is expected to be fine. */
  get<Value = Record<string, unknown>>(path: string, options?: Send): Promise<Value>;
};

export type HttpVaultOptions = AgentVaultOptions & {
  limits?: HttpParts['limits'];
  mcp?: McpDoor | null;
  now?: () => number;
  allowedHosts?: string[];
};

/** Says what it was asked, and by whom. */
export const echoingMcp: McpDoor = {
  fetch: async (request, scope, message) =>
    Response.json({
      scope,
      method: request.method,
      body: message === undefined ? await request.text() : JSON.stringify(message),
    }),
};

/** A vault behind its service, without a port: requests are handed over as they would come in. */
export async function httpVault(files: Files = {}, options: HttpVaultOptions = {}): Promise<HttpVault> {
  const vault = await agentVault(files, options);
  const { keepsake } = vault;
  const owner = 'the-secret-of-the-owner';
  const clock = options.now ?? Date.now;
  const tokens = openTokens(keepsake);
  const [reader, writer] = (['read', 'write'] as const).map(
    (scope) => tokens().create(`a ${scope} token`, scope).secret,
  ) as [string, string];
  const auth = createAuth({
    host: '127.0.0.1',
    port,
    allowedHosts: options.allowedHosts,
    secret: owner,
    tokens,
    people: openPeople(keepsake),
    sessions: openKeptSessions(keepsake),
    clock,
  });
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const log: Record<string, unknown>[] = [];
  const app = createHttpApp({
    keepsake,
    auth,
    clock,
    vaultName: 'notes',
    mcp: options.mcp === undefined ? echoingMcp : options.mcp,
    log: (entry) => void log.push(entry as Record<string, unknown>),
    version: '0.0.0-test',
    limits: options.limits,
    model: () =>
      options.model === null
        ? { missing: otherReason('none is chosen') }
        : { name: 'test/model', hasPrices: true },
    environment: readEnvironment(vault.variables),
    closing: closing.signal,
  });
  const send: HttpVault['send'] = async (path, { method, token = writer, headers, json, body } = {}) =>
    app.request(addressOf(path), {
      method: method ?? (json === undefined && body === undefined ? 'GET' : 'POST'),
      headers: {
        host,
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(body != null && { body, duplex: 'half' }),
    });
  return {
    ...vault,
    app,
    auth,
    owner,
    reader,
    writer,
    log,
    send,
    async get(path, given) {
      const response = await send(path, given);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json() as Promise<never>;
    },
  };
}

export function addressOf(path: string): string {
  return path.startsWith('//') ? `${origin}${path.slice(1)}` : `${origin}/api/vaults/notes${path}`;
}

/** What a problem document says, after a look at whether it is one. */
export async function problemIn(
  response: Response,
): Promise<{ status: number; code: string; detail: string }> {
  const type = response.headers.get('content-type');
  const body = (await response.json()) as { status: number; code: string; detail: string; next: string };
  if (type !== 'application/problem+json' || body.status !== response.status || body.next === '')
    throw new Error(`no problem document: ${type} ${JSON.stringify(body)}`);
  return body;
}
