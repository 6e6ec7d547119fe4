import type { z } from 'zod';
import { ApiError, problemFrom } from './problem.ts';

/** The routes of the vault are below it. */
export const base = '/api/vaults/default';

export type Http = ReturnType<typeof createHttp>;

/**
 * Sends requests and parses every answer with its schema of the contract. `get`, `post`, `put` and `remove` take a path below the
 * routes of the vault, `request` and `ask` a path of the server. All of them throw an `ApiError` where the server reports a problem
 * or cannot be reached.
 */
export function createHttp(send: (path: string, init?: RequestInit) => Promise<Response>) {
  const request = async (path: string, init?: RequestInit): Promise<Response> => {
    const response = await send(path, init).catch((cause: unknown) => {
      if (init?.signal?.aborted === true) throw cause;
      throw new ApiError('offline', 'the server cannot be reached', '', cause);
    });
    if (!response.ok) throw await problemFrom(response);
    return response;
  };
  const ask = async <Schema extends z.ZodType>(schema: Schema, path: string, init?: RequestInit) =>
    schema.parse(await (await request(path, init)).json());
  const get = <Schema extends z.ZodType>(schema: Schema, path: string, signal?: AbortSignal) =>
    ask(schema, `${base}${path}`, signal && { signal });
  const sending =
    (method: 'POST' | 'PUT') =>
    <Schema extends z.ZodType>(schema: Schema, path: string, body?: unknown, signal?: AbortSignal) =>
      ask(schema, `${base}${path}`, { ...asJson(method, body), ...(signal && { signal }) });
  const remove = (path: string): Promise<Response> => request(`${base}${path}`, { method: 'DELETE' });
  return { request, ask, get, post: sending('POST'), put: sending('PUT'), remove };
}

export function asJson(method: 'POST' | 'PUT', body: unknown): RequestInit {
  if (body === undefined) return { method };
  return { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
