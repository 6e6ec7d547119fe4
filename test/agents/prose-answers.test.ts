import { describe, expect, it } from 'vitest';
import { agentVault, looking } from './agent-vault.ts';

const signal = new AbortController().signal;
const files = { 'notes.md': '# Notes\nThe boiler is serviced in May.\n' };
const prose = 'The boiler is serviced in March.\nI am quite sure of that.';
const concat = { tool: 'concat', input: { files: [{ path: 'vault/notes.md', lines: '2-2' }] } };

describe('a model that only writes prose', () => {
  it('is told once to look into the vault, and then has not answered', async () => {
    const { model, keepsake } = await agentVault(files);
    model.respond(() => ({ text: prose }));
    await expect(keepsake.agents.ask('When is the boiler serviced?', signal)).rejects.toMatchObject({
      code: 'bad-answer',
      message: expect.stringContaining('answered without looking into the vault'),
      mend: 'try again, or choose another model',
    });
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.userTexts.at(-1)).toContain('You have not looked into the vault. Call search');
  });

  it.each([
    ['the names of files', { tool: 'tree', input: {} }],
    ['what is not there', { tool: 'read', input: { paths: 'vault/gone.md' } }],
    ['a call that is not valid', { tool: 'search', input: {} }],
  ])('has not looked by looking at %s', async (_, call) => {
    const { model, keepsake } = await agentVault(files);
    model.script({ calls: [call] }, { text: prose }, { text: prose });
    await expect(keepsake.agents.ask('When?', signal)).rejects.toMatchObject({ code: 'bad-answer' });
  });

  it('is believed once it has looked, but what it says is marked as uncited', async () => {
    const { model, keepsake } = await agentVault(files);
    model.script({ text: prose }, looking, { text: prose });
    const { document, isCited } = await keepsake.agents.ask('When is the boiler serviced?', signal);
    expect(document).toBe(`${prose}\n\nnote: nothing in the vault was cited`);
    expect(isCited).toBe(false);
  });

  it('does not make an empty file its evidence', async () => {
    const { model, keepsake } = await agentVault({ ...files, 'empty.md': '' });
    const empty = { tool: 'concat', input: { files: [{ path: 'vault/empty.md' }] } };
    model.script(looking, { text: prose, calls: [empty] });
    const { document, isCited } = await keepsake.agents.ask('When is the boiler serviced?', signal);
    expect(isCited).toBe(false);
    expect(document).toMatch(/```vault\/empty\.md\n```\n\nnote: nothing in the vault was cited$/);
  });

  it('does not have its first guess taken for the overview of lines that it finds later', async () => {
    const { model, keepsake } = await agentVault(files);
    const overview = 'It is serviced in May.\nThe notes say so.';
    model.script({ text: prose }, { calls: [concat] }, { text: overview });
    const { document } = await keepsake.agents.ask('When is the boiler serviced?', signal);
    expect(document).toMatch(/^It is serviced in May\.\nThe notes say so\.\n\n---\n/);
    expect(document).not.toContain('March');
  });
});
