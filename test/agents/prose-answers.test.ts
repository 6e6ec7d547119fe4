import { describe, expect, it } from 'vitest';
import { agentVault, looking } from './agent-vault.ts';

const signal = new AbortController().signal;
const files = { 'notes.md': '# Notes\nThe boiler is serviced in May.\n' };
const prose = 'The boiler is serviced in March.\nI am quite sure of that.';
const concat = { tool: 'concat', input: { files: [{ path: 'vault/notes.md', lines: '2-2' }] } };

describe('a model that only writes prose', () => {
  it('is told once to search the vault, and then fails', async () => {
    const { model, keepsake } = await agentVault(files);
    model.respond(() => ({ text: prose }));
    await expect(keepsake.agents.ask('When is the boiler serviced?', signal)).rejects.toMatchObject({
      code: 'bad-answer',
      message: expect.stringContaining('answered without searching the vault'),
      hint: 'try again or choose another model',
    });
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.userTexts.at(-1)).toContain('You have not searched the vault. Call search');
  });

  it.each([
    ['file names', { tool: 'tree', input: {} }],
    ['a missing file', { tool: 'read', input: { paths: 'vault/gone.md' } }],
    ['an invalid search', { tool: 'search', input: {} }],
  ])('does not count as having searched after requesting %s', async (_, call) => {
    const { model, keepsake } = await agentVault(files);
    model.script({ calls: [call] }, { text: prose }, { text: prose });
    await expect(keepsake.agents.ask('When?', signal)).rejects.toMatchObject({ code: 'bad-answer' });
  });

  it('has its answer accepted once it has searched, but marked as uncited', async () => {
    const { model, keepsake } = await agentVault(files);
    model.script({ text: prose }, looking, { text: prose }, { text: prose });
    const answer = await keepsake.agents.ask('When is the boiler serviced?', signal);
    expect(model.requests[3]?.userTexts.at(-1)).toContain('You have not cited any lines. Call concat');
    expect(answer.document).toBe(`${prose}\n\nnote: no lines of the vault are cited`);
    expect(answer).toMatchObject({ isCited: false, found: 'yes', unsupported: ['March'] });
  });

  it('cites the lines when asked to', async () => {
    const { model, keepsake } = await agentVault(files);
    const search = { tool: 'search', input: { queries: ['boiler'], mode: 'fast' } };
    model.script({ calls: [search] }, { text: 'In May.' }, { text: 'In May [1].', calls: [concat] });
    const { overview, isCited, found } = await keepsake.agents.ask('When is it serviced?', signal);
    expect(model.requests).toHaveLength(3);
    expect({ overview, isCited, found }).toEqual({ overview: 'In May [1].', isCited: true, found: 'yes' });
  });

  it('cannot use an empty file as evidence', async () => {
    const { model, keepsake } = await agentVault({ ...files, 'empty.md': '' });
    const empty = { tool: 'concat', input: { files: [{ path: 'vault/empty.md' }] } };
    model.script(looking, { text: prose, calls: [empty] }, { text: prose });
    const { document, isCited } = await keepsake.agents.ask('When is the boiler serviced?', signal);
    expect(isCited).toBe(false);
    expect(document).toMatch(/```vault\/empty\.md\n```\n\nnote: no lines of the vault are cited$/);
  });

  it('has its first guess discarded if it cites lines and writes an overview later', async () => {
    const { model, keepsake } = await agentVault(files);
    const overview = 'It is serviced in May.\nThe notes say so.';
    model.script({ text: prose }, { calls: [concat] }, { text: overview });
    const { document } = await keepsake.agents.ask('When is the boiler serviced?', signal);
    expect(document).toMatch(/^It is serviced in May\.\nThe notes say so\.\n\n---\n/);
    expect(document).not.toContain('March');
  });
});
