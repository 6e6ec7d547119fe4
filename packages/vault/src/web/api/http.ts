import type { z } from 'zod';
import { ApiError, toApiError } from './api-error.ts';

/** The path that all routes of the vault start with. */
export const apiBase = '/api/vaults/default';

export type Http = ReturnType<typeof createHttp>;

/**
 * Sends requests and parses every response with its schema from the contract. `get`, `post`, `put` and `remove` take a
 * path below `apiBase`, `request` and `ask` a path of the server. All of them throw an `ApiError` if the server reports
 * a problem or cannot be reached.
 */
export function createHttp(send: (path: string, init?: RequestInit) => Promise<Response>) {
  const request = async (path: string, init?: RequestInit): Promise<Response> => {
    const response = await send(path, init).catch((cause: unknown) => {
      if (init?.signal?.aborted === true) throw cause;
      throw new ApiError('offline', 'cannot reach the server', '', { cause });
    });
    if (!response.ok) throw await toApiError(response);
    return response;
  };
  const ask = async <Schema extends z.ZodType>(schema: Schema, path: string, init?: RequestInit) =>
    schema.parse(await (await request(path, init)).json());
  const get = <Schema extends z.ZodType>(schema: Schema, path: string, signal?: AbortSignal) =>
    ask(schema, `${apiBase}${path}`, signal && { signal });
  const sending =
    (method: 'POST' | 'PUT') =>
    <Schema extends z.ZodType>(schema: Schema, path: string, body?: unknown, signal?: AbortSignal) =>
      ask(schema, `${apiBase}${path}`, { ...asJson(method, body), ...(signal && { signal }) });
  const remove = (path: string): Promise<Response> => request(`${apiBase}${path}`, { method: 'DELETE' });
  return { request, ask, get, post: sending('POST'), put: sending('PUT'), remove };
}

export function asJson(method: 'POST' | 'PUT', body: unknown): RequestInit {
  if (body === undefined) return { method };
  return { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
