import { describe, expect, it } from 'vitest';
import { httpVault } from './http-vault.ts';

const inNote = 'canary-in-a-note-41c7';
const inQuery = 'canary-in-a-query-88b2';
const inBody = 'canary-in-a-body-93fe';
const apiKey = 'test-key';
const newKey = 'canary-of-a-new-key-5d20';

describe('secrets', () => {
  it('of the server appear in no response or log, and those of the vault in no log', async () => {
    const vault = await httpVault({ 'a.md': `${inNote}\n` });
    const code = vault.auth.createLoginCode();
    const opened = await vault.send(`//open?code=${code}`, { token: null });
    const session = opened.headers.get('set-cookie')?.split(';')[0]?.split('=')[1] ?? '';
    expect(session).not.toBe('');
    const failure = {
      fault: 'status' as const,
      status: 401,
      body: `{"error":{"message":"the key ${apiKey} failed"}}`,
    };
    vault.model.respond(() => failure);
    const requests: Parameters<typeof vault.send>[] = [
      ['//openapi.json'],
      ['//api/health'],
      ['/status'],
      ['/inbox'],
      ['/history'],
      ['/updates', { json: { text: inBody } }],
      ['/updates', { json: { text: inBody, nonsense: inBody } }],
      ['/updates'],
      ['/files/a.md'],
      [`/tree?path=${inQuery}`],
      [`/tree?depth=${inQuery}`],
      ['/search', { json: { queries: [inBody] } }],
      ['/answers', { json: { question: inBody } }],
      ['/tools/read', { json: { input: { paths: 'a.md' } } }],
      ['/tools/read', { json: { input: { [inBody]: 1 } } }],
      ['/model', { method: 'PUT', token: vault.owner, json: { name: 'mistral/x', key: newKey } }],
      ['/model', { method: 'PUT', token: vault.owner, json: { name: 'unknown/x', key: newKey } }],
      ['/model', { method: 'PUT', token: vault.owner, json: { name: 'mistral/x', key: `${newKey} é` } }],
      ['/model', { token: vault.owner }],
      ['/model/test', { method: 'POST', token: vault.owner }],
      ['/inbox', { token: `${vault.writer}x` }],
      ['/inbox', { headers: { origin: 'null' } }],
      [`//open?code=${code}`, { token: null }],
      [`//open?code=${inQuery}`, { token: null }],
      ['/inbox', { token: null, headers: { cookie: `keepsake-4100=${session}` } }],
    ];
    let responses = '';
    for (const request of requests) {
      const response = await vault.send(...request);
      responses += JSON.stringify([...response.headers]) + (await response.text());
    }
    const log = JSON.stringify(vault.log);
    expect(vault.log).toHaveLength(requests.length + 1);
    for (const own of [vault.owner, vault.reader, vault.writer, session, code, apiKey, newKey]) {
      expect(responses, 'answers').not.toContain(own);
      expect(log, 'log').not.toContain(own);
    }
    for (const canary of [inNote, inQuery, inBody]) expect(log).not.toContain(canary);
    expect(responses).not.toContain(vault.folder);
    expect(responses).not.toContain(vault.state);
  });
});
