import { describe, expect, it } from 'vitest';
import { httpVault, readProblem } from './http-vault.ts';

const note = '# House\n\nThe heating is new.\n\nThe neighbour is called Kornblume.\n';

type Vault = Awaited<ReturnType<typeof httpVault>>;

async function planOf(vault: Vault, target: object): Promise<{ shown: string }> {
  return (await vault.get('/forget/plan', { json: target, token: vault.owner })) as { shown: string };
}

describe('forgetting over HTTP', () => {
  it('shows every sentence first, and then removes the words from files and history', async () => {
    const vault = await httpVault({ 'bucket/house.md': note });
    const target = { kind: 'path', path: 'bucket/house.md', lines: { start: 5, end: 5 } };
    const plan = await planOf(vault, target);
    expect(plan).toMatchObject({
      places: [
        {
          store: 'files',
          name: 'bucket/house.md',
          effect: 'edited',
          passages: [
            { line: 5, before: [{ text: 'The neighbour is called Kornblume.', fate: 'goes' }], after: '' },
          ],
        },
      ],
    });
    expect(vault.text('bucket/house.md')).toContain('Kornblume');
    const json = { target, shown: plan.shown };
    expect(await vault.get('/forget', { json, token: vault.owner })).toMatchObject({ remaining: [] });
    expect(vault.text('bucket/house.md')).toContain('The heating is new.');
    expect(vault.text('bucket/house.md')).not.toContain('Kornblume');
  });

  it('removes nothing but what was shown', async () => {
    const vault = await httpVault({ 'bucket/house.md': note });
    const target = { kind: 'words', words: ['Kornblume'] };
    const { shown } = await planOf(vault, target);
    await vault.get('/files/bucket/house.md', {
      method: 'PUT',
      token: vault.owner,
      body: note.replace('is called', 'was never called'),
      headers: { 'content-type': 'text/markdown', 'if-match': '*' },
    });
    const refused = await vault.send('/forget', { json: { target, shown }, token: vault.owner });
    expect(await readProblem(refused)).toMatchObject({ status: 412, code: 'changed-since' });
    expect(vault.text('bucket/house.md')).toContain('Kornblume');
    const unseen = await vault.send('/forget', { json: { target }, token: vault.owner });
    expect(await readProblem(unseen)).toMatchObject({ status: 422 });
  });

  it('is refused to clients, which cannot approve a request to forget either', async () => {
    const vault = await httpVault({ 'bucket/house.md': note });
    const target = { kind: 'words', words: ['Kornblume'] };
    const notTheUser = { status: 403, code: 'not-the-person' };
    expect(await readProblem(await vault.send('/forget/plan', { json: target }))).toMatchObject(notTheUser);
    const json = { target, shown: 'anything' };
    expect(await readProblem(await vault.send('/forget', { json }))).toMatchObject(notTheUser);
    vault.model.script({ text: 'I do not know.' });
    const text = 'Forget that the neighbour is called Kornblume.';
    const { id } = await vault.file({ text, source: { kind: 'other', name: 'a client' } });
    const refused = await vault.send(`/updates/${id}/approve`, { method: 'POST' });
    expect(await readProblem(refused)).toMatchObject({ status: 403, code: 'not-the-person' });
    expect(vault.text('bucket/house.md')).toBe(note);
    const unseen = await vault.send(`/updates/${id}/approve`, { method: 'POST', token: vault.owner });
    expect(await readProblem(unseen)).toMatchObject({ status: 409, code: 'unconfirmed' });
    expect(vault.text('bucket/house.md')).toBe(note);
    const request = { kind: 'request', id };
    const approval = { target: request, shown: (await planOf(vault, request)).shown };
    await vault.get('/forget', { json: approval, token: vault.owner });
    expect(vault.text('bucket/house.md')).not.toContain('Kornblume');
    expect(await vault.get(`/updates/${id}`)).toMatchObject({ decision: 'approved' });
  });

  it('explains why nothing can be forgotten', async () => {
    const vault = await httpVault();
    const send = (json: object) => vault.send('/forget/plan', { json, token: vault.owner });
    expect(await readProblem(await send({ kind: 'words', words: ['.'] }))).toMatchObject({ code: 'refused' });
    const missing = { kind: 'path', path: 'bucket/nothing.md', lines: { start: 1, end: 1 } };
    expect(await readProblem(await send(missing))).toMatchObject({ code: 'refused' });
  });
});
