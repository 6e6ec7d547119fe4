import { describe, expect, it } from 'vitest';
import { httpVault, readProblem } from './http-vault.ts';

const note = '# House\n\nThe heating is new.\n\nThe neighbour is called Kornblume.\n';

describe('forgetting over HTTP', () => {
  it('lists the places first, and then removes the words from files and history', async () => {
    const vault = await httpVault({ 'bucket/house.md': note });
    const json = { kind: 'path', path: 'bucket/house.md', lines: { start: 5, end: 5 } };
    const request = { json, token: vault.owner };
    const plan = await vault.get('/forget/plan', request);
    expect(plan).toMatchObject({ places: [{ store: 'files', name: 'bucket/house.md', count: 1 }] });
    expect(vault.text('bucket/house.md')).toContain('Kornblume');
    expect(await vault.get('/forget', request)).toMatchObject({ remaining: [] });
    expect(vault.text('bucket/house.md')).toContain('The heating is new.');
    expect(vault.text('bucket/house.md')).not.toContain('Kornblume');
  });

  it('is refused to clients, which cannot approve a request to forget either', async () => {
    const vault = await httpVault({ 'bucket/house.md': note });
    const json = { kind: 'words', words: 'Kornblume' };
    for (const path of ['/forget/plan', '/forget'])
      expect(await readProblem(await vault.send(path, { json }))).toMatchObject({
        status: 403,
        code: 'not-the-person',
      });
    vault.model.script({ text: 'I do not know.' });
    const text = 'Forget that the neighbour is called Kornblume.';
    const { id } = await vault.file({ text, source: { kind: 'other', name: 'a client' } });
    const refused = await vault.send(`/updates/${id}/approve`, { method: 'POST' });
    expect(await readProblem(refused)).toMatchObject({ status: 403, code: 'not-the-person' });
    expect(vault.text('bucket/house.md')).toBe(note);
    const approved = await vault.get(`/updates/${id}/approve`, { method: 'POST', token: vault.owner });
    expect(approved).toEqual({ id, as: null });
    expect(vault.text('bucket/house.md')).not.toContain('Kornblume');
    expect(await vault.get(`/updates/${id}`)).toMatchObject({ decision: 'approved' });
  });

  it('explains why nothing can be forgotten', async () => {
    const vault = await httpVault();
    const send = (json: object) => vault.send('/forget/plan', { json, token: vault.owner });
    expect(await readProblem(await send({ kind: 'words', words: '.' }))).toMatchObject({ code: 'refused' });
    const missing = { kind: 'path', path: 'bucket/nothing.md', lines: { start: 1, end: 1 } };
    expect(await readProblem(await send(missing))).toMatchObject({ code: 'refused' });
  });
});
