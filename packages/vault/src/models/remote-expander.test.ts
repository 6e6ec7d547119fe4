import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startScriptedModels } from '../../../../test/local-models/server.ts';
import type { ScriptedModels } from '../../../../test/local-models/server.ts';
import { parseExpansions } from './parse-expansions.ts';
import { createRemoteExpander } from './remote-expander.ts';

const soon = (): AbortSignal => AbortSignal.timeout(20_000);
let server: ScriptedModels;

beforeEach(async () => {
  server = await startScriptedModels();
});
afterEach(() => server.close());

const expand = (query = 'who has the keys?', signal = soon()) =>
  createRemoteExpander({ baseUrl: server.baseUrl, model: 'small' }).expand(query, signal);

describe('the remote expander', () => {
  it('sends the query to the model and parses the lines of its answer', async () => {
    expect(await expand()).toEqual([
      { type: 'lex', text: 'who has the keys?' },
      { type: 'vec', text: 'who has the keys?' },
      { type: 'hyde', text: 'A note about who has the keys?.' },
    ]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.path).toBe('/v1/chat/completions');
    expect(server.requests[0]?.body).toMatchObject({
      model: 'small',
      messages: [{ role: 'system' }, { role: 'user' }],
    });
  });

  it.each([
    ['chatter', { do: 'say' as const, text: 'Sorry, I cannot help with that.' }],
    ['nothing', { do: 'say' as const, text: '' }],
    ['empty lines', { do: 'say' as const, text: 'lex:\nvec:  \n' }],
    ['a page', { do: 'send' as const, body: '<html></html>' }],
    ['no choice', { do: 'send' as const, body: { choices: [] } }],
  ])('fails if the model returns %s', async (_, step) => {
    server.script('/chat/completions', step);
    await expect(expand()).rejects.toMatchObject({ name: 'ModelError', code: 'bad-answer' });
  });

  it('reports the error of the server', async () => {
    server.script('/chat/completions', { do: 'status', status: 403, body: 'no' });
    await expect(expand()).rejects.toMatchObject({ code: 'refused' });
  });

  it('stops waiting for a hanging server when the signal is aborted', async () => {
    server.script('/chat/completions', { do: 'hang' });
    await expect(expand('a', AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('the lines of an expansion', () => {
  it('are parsed despite decoration', () => {
    const answer = [
      'Here you are:',
      '- lex: clés, trousseau',
      '2. **vec:** "Qui a les clés ?"',
      '`HYDE`: Marie a les clés. « oui »',
      'VEC： où sont les clés',
      'lexical: no',
    ].join('\r\n');
    expect(parseExpansions(answer)).toEqual([
      { type: 'lex', text: 'clés, trousseau' },
      { type: 'vec', text: 'Qui a les clés ?' },
      { type: 'hyde', text: 'Marie a les clés. « oui »' },
      { type: 'vec', text: 'où sont les clés' },
    ]);
  });

  it('are ignored inside a thinking block', () => {
    expect(parseExpansions('<think>\nlex: maybe this\n</think>\nlex: keys')).toEqual([
      { type: 'lex', text: 'keys' },
    ]);
  });

  it('are at most six, unique and of limited length', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `lex: word ${Math.floor(index / 2)}`);
    expect(parseExpansions(lines.join('\n'))).toHaveLength(6);
    expect(parseExpansions(`hyde: ${'long '.repeat(5000)}`)[0]?.text.length).toBeLessThanOrEqual(1000);
  });

  it('keep a quoted phrase', () => {
    expect(parseExpansions('lex: "red bike" helmet')).toEqual([{ type: 'lex', text: '"red bike" helmet' }]);
  });
});
