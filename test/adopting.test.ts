import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimOwnership, openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import { createRecordedFiles, recordOutsideEdits } from '../packages/vault/src/upkeep/index.ts';
import { initVault } from '../packages/vault/src/vault/index.ts';
import { memoryDatabase } from './changes-database.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';
import { until } from './upkeep/upkeep-vault.ts';

const notes = {
  'Wifi.md': '# Wifi\r\nUnder the mat.\r\nno line break at the end',
  'Boiler.md': '# Boiler\nServiced in June.\n',
  'Garden/Roses.md': '# Roses\nCut them in March.\n',
};

type Adopted = { folder: string; keepsake: Keepsake; clock: { now: number }; told: string[] };

/** An adopted folder of which history has every file. Its clock is ahead, so that no file has changed just now. */
async function adopted(): Promise<Adopted> {
  const root = temporaryFolder();
  const folder = join(root, 'vault');
  layOut(folder, notes);
  const clock = { now: Date.now() + 60_000 };
  initVault(folder, { language: 'en', home: root, clock: () => clock.now });
  const environment = readEnvironment({ PATH: process.env['PATH'], XDG_STATE_HOME: join(root, 'state') });
  const keepsake = await openKeepsake({ vault: folder, environment, clock: () => clock.now });
  onTestFinished(async () => void (await keepsake.close()));
  const told: string[] = [];
  await keepsake.outside.takeBaseline((done, total) => void told.push(`${done} of ${total}`));
  return { folder, keepsake, clock, told };
}

const changesOf = ({ changes }: Keepsake): string[] =>
  changes.list({ limit: 10 }).map(({ origin, summary }) => `${summary} (${origin})`);
/** As a new process does. */
const rescan = ({ catalogue }: Keepsake): Promise<unknown> => catalogue.refresh();

describe('a folder that is adopted', () => {
  it('has every file in history, tells how far that is, and no change', async () => {
    const { keepsake, told } = await adopted();
    expect(told).toEqual(['0 of 3', '3 of 3']);
    expect((await keepsake.changes.files()).toSorted()).toEqual(
      Object.keys(notes)
        .map((path) => `vault/${path}`)
        .toSorted(),
    );
    expect(changesOf(keepsake)).toEqual([]);
  });

  it.each([
    ['removed', (file: string) => rmSync(file), 'deleted Wifi.md (outside)'],
    ['edited', (file: string) => writeFileSync(file, 'other\n'), 'edited Wifi.md (outside)'],
  ])('gets a note back, byte for byte, that another program %s', async (_, change, summary) => {
    const { folder, keepsake } = await adopted();
    change(join(folder, 'Wifi.md'));
    await rescan(keepsake);
    await keepsake.outside.recordOutsideEdits();
    expect(changesOf(keepsake)).toEqual([summary.replace('Wifi', 'vault/Wifi')]);
    const [id = ''] = keepsake.changes.list({ limit: 1 }).map((each) => each.id);
    expect((await keepsake.changes.undo(id)).kind).toBe('written');
    expect(readFileSync(join(folder, 'Wifi.md'), 'utf8')).toBe(notes['Wifi.md']);
  });

  it('has in history what was edited before upkeep first ran', async () => {
    const { folder, keepsake } = await adopted();
    rmSync(join(folder, 'Wifi.md'));
    const upkeep = keepsake.startUpkeep({ onEvent: () => undefined });
    onTestFinished(() => upkeep.stop());
    await until(() => changesOf(keepsake).length > 0, 'the deletion is in history', 30_000);
    expect(changesOf(keepsake)).toEqual(['deleted vault/Wifi.md (outside)']);
  });

  it('has in history what was removed after Keepsake wrote it', async () => {
    const { folder, keepsake } = await adopted();
    const input = { path: 'New.md', content: 'new\n' };
    await keepsake.callTool({ tool: 'write', input, reader: 'person', origin: 'test' });
    await keepsake.changes.record();
    rmSync(join(folder, 'New.md'));
    await rescan(keepsake);
    await keepsake.outside.recordOutsideEdits();
    expect(changesOf(keepsake)[0]).toBe('deleted vault/New.md (outside)');
  });

  it('is left to the process that serves it', async () => {
    const { folder, keepsake, clock } = await adopted();
    const owner = await claimOwnership(keepsake.state.databases().locks, 'http://127.0.0.1:1', {
      secret: 'x',
      clock: () => clock.now,
      onLost: () => undefined,
      onError: () => undefined,
    });
    rmSync(join(folder, 'Wifi.md'));
    await rescan(keepsake);
    await keepsake.outside.recordOutsideEdits();
    expect(changesOf(keepsake)).toEqual([]);
    owner?.release();
    await keepsake.outside.recordOutsideEdits();
    expect(changesOf(keepsake)).toHaveLength(1);
  });

  it('is not compared again within a moment by a command that only reads', async () => {
    const { folder, keepsake, clock } = await adopted();
    await keepsake.outside.recordOutsideEdits();
    rmSync(join(folder, 'Wifi.md'));
    await rescan(keepsake);
    await keepsake.outside.recordOutsideEdits({ ifDue: true });
    expect(changesOf(keepsake)).toEqual([]);
    clock.now += 1;
    await keepsake.outside.recordOutsideEdits({ ifDue: true });
    expect(changesOf(keepsake)).toHaveLength(1);
  });
});

it('files that are as history has them are neither read nor looked up in git', async () => {
  const { folder, keepsake, clock } = await adopted();
  const asked: string[][] = [];
  let listings = 0;
  const changes = {
    ...keepsake.changes,
    recordOutside: (paths: Parameters<Keepsake['changes']['recordOutside']>[0]) => {
      asked.push([...paths]);
      return keepsake.changes.recordOutside(paths);
    },
    files: () => {
      listings += 1;
      return keepsake.changes.files();
    },
  };
  const parts = { ...keepsake, changes, recorded: createRecordedFiles(memoryDatabase()) };
  const record = () => recordOutsideEdits({ ...parts, clock: () => clock.now });
  await record();
  await record();
  writeFileSync(join(folder, 'Boiler.md'), '# Boiler\nServiced in July.\n');
  await rescan(keepsake);
  await record();
  await record();
  expect(asked.map((paths) => paths.length)).toEqual([3, 0, 1, 0]);
  expect(listings).toBe(1);
});

it('a folder that history has not had whole gets no changes from a comparison', async () => {
  const root = temporaryFolder();
  layOut(join(root, 'vault'), notes);
  const environment = readEnvironment({ PATH: process.env['PATH'], XDG_STATE_HOME: join(root, 'state') });
  const keepsake = await openKeepsake({ vault: join(root, 'vault'), environment });
  onTestFinished(async () => void (await keepsake.close()));
  const input = { path: 'New.md', content: 'new\n' };
  await keepsake.callTool({ tool: 'write', input, reader: 'person', origin: 'test' });
  await keepsake.outside.recordOutsideEdits();
  expect(changesOf(keepsake)).toHaveLength(1);
});
