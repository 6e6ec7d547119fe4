import { expect, it } from 'vitest';
import { anEntry, looking } from './agents/agent-vault.ts';
import { long, recordedVault, start } from './recorded-vault.ts';

it('a session note has the title that the client gave the session, otherwise the first words of the user', async () => {
  const { say, drain: work, text } = await recordedVault();
  say('prompt', `# Why does the import stop?\n${long}`);
  say('session-end', 'other');
  say('prompt', `continue\n${long}`, { session: 's2' });
  say('session-end', 'other', { session: 's2', title: 'Dates of the report' });
  const { notes } = await work();
  const titles = notes.map((note) => /^# .*$/m.exec(text(note.slice('vault/'.length)) ?? '')?.[0]);
  expect(new Set(titles)).toEqual(new Set(['# Dates of the report', '# Why does the import stop?']));
});

it('a session in which the user said nothing of substance leaves no note', async () => {
  const { say, drain: work, bucket } = await recordedVault();
  say('prompt', 'continue');
  say('turn', long);
  say('prompt', 'ok, go on please');
  say('turn', long);
  say('session-end', 'other');
  say('turn', long, { session: 's2' });
  say('session-end', 'other', { session: 's2' });
  expect(await work()).toMatchObject({ notes: [], dropped: 2 });
  expect(await bucket()).toEqual([]);
});

it('a prompt that is answered after more than half an hour is in one note with its answer', async () => {
  const { say, drain: work, text } = await recordedVault();
  say('prompt', 'Move the tables to SQLite.');
  expect(await work()).toMatchObject({ notes: [], dropped: 0 });
  say('turn', `They are moved. ${long}`, { at: start + 2 * 3_600_000 });
  say('session-end', 'other', { at: start + 2 * 3_600_000 + 1 });
  const { notes, dropped } = await work();
  expect([notes.length, dropped]).toEqual([1, 0]);
  expect(text(notes.join().slice('vault/'.length))).toMatch(
    /> Move the tables to SQLite\.\n\nThey are moved\./,
  );
});

it('a session that a model files is not kept in its own words, in whichever part of the vault', async () => {
  const { say, drain: work, model, file, bucket, text } = await recordedVault({}, {});
  say('prompt', `Which database? ${long}`);
  say('turn', 'SQLite, because it needs no server.');
  say('session-end', 'other');
  const { updates } = await work();
  model.respond(({ rawBody }, index) => {
    if (index === 0)
      expect(rawBody).toContain('It is a conversation of the person (quoted) with Claude Code');
    return index === 0 ? looking : index === 1 ? anEntry('[decision] SQLite') : { text: 'Filed.' };
  });
  await file({ text: 'That is all.' });
  expect(updates).toHaveLength(1);
  expect(text('changelog.md')).toContain('[decision] SQLite');
  expect(await bucket()).toEqual([]);
});

it('a session of which the agent says that nothing is worth keeping changes nothing', async () => {
  const { say, drain: work, model, file, keepsake, bucket } = await recordedVault({}, {});
  say('prompt', `Which database? ${long}`);
  say('session-end', 'other');
  const [id = ''] = (await work()).updates;
  model.respond((_, index) =>
    index === 0
      ? looking
      : index === 1
        ? { text: 'Summary: nothing worth keeping: only questions' }
        : anEntry('Rest'),
  );
  await file({ text: 'That is all.' });
  expect(keepsake.agents.updates.find(id)?.result).toMatchObject({ kind: 'unchanged' });
  expect(await bucket()).toEqual([]);
});

it('writes no session into a folder that is hidden from AI, and keeps it for later', async () => {
  const configuration = "agents:\n  exclude: ['projects/x/bucket/**']\n";
  const { say, drain: work, bucket } = await recordedVault({}, { model: null, configuration });
  say('prompt', `Which database? ${long}`);
  say('session-end', 'other');
  expect(await work()).toMatchObject({ notes: [], failed: [{ message: expect.stringContaining('hidden') }] });
  expect(await bucket()).toEqual([]);
  expect((await work()).failed).toHaveLength(1);
});
