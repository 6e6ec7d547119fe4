import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asJson, createHttp } from './http.ts';
import { hasErrorCode } from './api-error.ts';

const ok = z.object({ ok: z.boolean() });

/** Records the requests and answers each with the same response. */
function server(answer: () => Promise<Response>) {
  const sent: [string, RequestInit | undefined][] = [];
  const http = createHttp((path, init) => {
    sent.push([path, init]);
    return answer();
  });
  return { http, sent };
}

describe('createHttp', () => {
  it('sends requests to the routes of the vault, with a JSON body only if there is one', async () => {
    const { http, sent } = server(async () => Response.json({ ok: true }));
    expect(await http.get(ok, '/status')).toEqual({ ok: true });
    await http.post(ok, '/updates/1/retry');
    await http.put(ok, '/model', { name: null });
    expect(sent).toEqual([
      ['/api/vaults/default/status', undefined],
      ['/api/vaults/default/updates/1/retry', { method: 'POST' }],
      ['/api/vaults/default/model', asJson('PUT', { name: null })],
    ]);
    expect(asJson('PUT', { name: null })).toEqual({
      method: 'PUT',
      body: '{"name":null}',
      headers: { 'content-type': 'application/json' },
    });
  });

  it('rejects a response that does not match its schema', async () => {
    const { http } = server(async () => Response.json({ ok: 'yes' }));
    await expect(http.get(ok, '/status')).rejects.toThrow(/expected boolean/);
  });

  it('throws the problem that the server reports', async () => {
    const problem = {
      type: 'urn:keepsake:problem:no-such-file',
      title: 'No such file',
      status: 404,
      code: 'no-such-file',
      detail: 'there is no a.md',
      next: 'look at the tree',
      requestId: '1',
    };
    const { http } = server(async () => Response.json(problem, { status: 404 }));
    const error: unknown = await http.remove('/files/a.md').catch((reason: unknown) => reason);
    expect(hasErrorCode(error, 'no-such-file')).toBe(true);
    expect(error).toMatchObject({ message: 'there is no a.md', next: 'look at the tree' });
  });

  it('distinguishes an unreachable server from an aborted request', async () => {
    const away = server(async () => Promise.reject(new TypeError('failed to fetch')));
    expect(hasErrorCode(await away.http.get(ok, '/status').catch((error: unknown) => error), 'offline')).toBe(
      true,
    );
    const cause = new DOMException('gone', 'AbortError');
    const left = server(async () => Promise.reject(cause));
    await expect(left.http.get(ok, '/status', AbortSignal.abort())).rejects.toBe(cause);
  });
});
