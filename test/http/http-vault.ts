import { onTestFinished } from 'vitest';
import { otherReason } from '../../packages/vault/src/contract/index.ts';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import {
  createAuth,
  createHttpApp,
  openSessionStore,
  openMembers,
  openTokens,
} from '../../packages/vault/src/server/index.ts';
import type { Auth, HttpAppOptions, McpHandler } from '../../packages/vault/src/server/index.ts';
import { agentVault } from '../agents/agent-vault.ts';
import type { AgentVault, AgentVaultOptions } from '../agents/agent-vault.ts';
import type { Files } from '../temporary-vault.ts';

export const port = 4100;
export const host = `127.0.0.1:${port}`;
export const origin = `http://${host}`;

export type Send = {
  method?: string;
  /** A secret, or null for none. Default: the token with write scope. */
  token?: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON. */
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
  /** Sends a request to a path of the vault (`/updates`) or to any other path (`//api/health`). */
  send(path: string, options?: Send): Promise<Response>;
  /** Returns the body of a response that must be successful. */
  get<Value = Record<string, unknown>>(path: string, options?: Send): Promise<Value>;
};

export type HttpVaultOptions = AgentVaultOptions & {
  limits?: HttpAppOptions['limits'];
  mcp?: McpHandler | null;
  now?: () => number;
  allowedHosts?: string[];
};

/** An MCP handler that echoes the request and the scope. */
export const echoingMcp: McpHandler = {
  fetch: async (request, { scope }, message) =>
    Response.json({
      scope,
      method: request.method,
      body: message === undefined ? await request.text() : JSON.stringify(message),
    }),
};

/** A vault with its HTTP API in process: requests are passed to the app without a port. */
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
    people: openMembers(keepsake),
    sessions: openSessionStore(keepsake),
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
    app.request(toUrl(path), {
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
    async get(path, request) {
      const response = await send(path, request);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json() as Promise<never>;
    },
  };
}

export function toUrl(path: string): string {
  return path.startsWith('//') ? `${origin}${path.slice(1)}` : `${origin}/api/vaults/notes${path}`;
}

/** Parses a problem document and checks its form. */
export async function readProblem(
  response: Response,
): Promise<{ status: number; code: string; detail: string }> {
  const type = response.headers.get('content-type');
  const body = (await response.json()) as { status: number; code: string; detail: string; next: string };
  if (type !== 'application/problem+json' || body.status !== response.status || body.next === '')
    throw new Error(`no problem document: ${type} ${JSON.stringify(body)}`);
  return body;
}
