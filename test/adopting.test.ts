import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireOwnerLease, openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import { createRecordedFiles, recordExternalEdits } from '../packages/vault/src/upkeep/index.ts';
import { initVault } from '../packages/vault/src/vault/index.ts';
import { memoryDatabase } from './changes-database.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';
import { until } from './upkeep/upkeep-vault.ts';

const notes = {
  'Wifi.md': '# Wifi\r\nUnder the mat.\r\nno line break at the end',
  'Boiler.md': '# Boiler\nServiced in June.\n',
  'Garden/Roses.md': '# Roses\nCut them in March.\n',
};

type Adopted = { folder: string; keepsake: Keepsake; clock: { now: number }; progress: string[] };

/** An adopted folder whose files are all in history. Its clock is ahead, so that no file counts as recently changed. */
async function adopted(): Promise<Adopted> {
  const root = temporaryFolder();
  const folder = join(root, 'vault');
  layOut(folder, notes);
  const clock = { now: Date.now() + 60_000 };
  initVault(folder, { language: 'en', home: root, clock: () => clock.now });
  const environment = readEnvironment({ PATH: process.env['PATH'], XDG_STATE_HOME: join(root, 'state') });
  const keepsake = await openKeepsake({ vault: folder, environment, clock: () => clock.now });
  onTestFinished(async () => void (await keepsake.close()));
  const progress: string[] = [];
  await keepsake.externalEdits.takeBaseline((done, total) => void progress.push(`${done} of ${total}`));
  return { folder, keepsake, clock, progress };
}

const changesOf = ({ changes }: Keepsake): string[] =>
  changes.list({ limit: 10 }).map(({ origin, summary }) => `${summary} (${origin})`);
/** Scans the files as a new process does. */
const rescan = ({ catalogue }: Keepsake): Promise<unknown> => catalogue.refresh();

describe('an adopted folder', () => {
  it('has all of its files added to history, with progress reports and without listing a change', async () => {
    const { keepsake, progress } = await adopted();
    expect(progress).toEqual(['0 of 3', '3 of 3']);
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
  ])('lets undo restore the exact bytes of a note that another program %s', async (_, change, summary) => {
    const { folder, keepsake } = await adopted();
    change(join(folder, 'Wifi.md'));
    await rescan(keepsake);
    await keepsake.externalEdits.recordOutsideEdits();
    expect(changesOf(keepsake)).toEqual([summary.replace('Wifi', 'vault/Wifi')]);
    const [id = ''] = keepsake.changes.list({ limit: 1 }).map((each) => each.id);
    expect((await keepsake.changes.undo(id)).kind).toBe('written');
    expect(readFileSync(join(folder, 'Wifi.md'), 'utf8')).toBe(notes['Wifi.md']);
  });

  it('gets a change for a deletion that happened before upkeep first ran', async () => {
    const { folder, keepsake } = await adopted();
    rmSync(join(folder, 'Wifi.md'));
    const upkeep = keepsake.startUpkeep({ onEvent: () => undefined });
    onTestFinished(() => upkeep.stop());
    await until(() => changesOf(keepsake).length > 0, 'the deletion is in history', 30_000);
    expect(changesOf(keepsake)).toEqual(['deleted vault/Wifi.md (outside)']);
  });

  it('gets a change for the deletion of a file that Keepsake wrote', async () => {
    const { folder, keepsake } = await adopted();
    const input = { path: 'New.md', content: 'new\n' };
    await keepsake.callTool({ tool: 'write', input, reader: 'person', origin: 'test' });
    await keepsake.changes.record();
    rmSync(join(folder, 'New.md'));
    await rescan(keepsake);
    await keepsake.externalEdits.recordOutsideEdits();
    expect(changesOf(keepsake)[0]).toBe('deleted vault/New.md (outside)');
  });

  it('is scanned only by the process that serves it', async () => {
    const { folder, keepsake, clock } = await adopted();
    const owner = await acquireOwnerLease(keepsake.state.databases().locks, 'http://127.0.0.1:1', {
      secret: 'x',
      clock: () => clock.now,
      onLost: () => undefined,
      onError: () => undefined,
    });
    rmSync(join(folder, 'Wifi.md'));
    await rescan(keepsake);
    await keepsake.externalEdits.recordOutsideEdits();
    expect(changesOf(keepsake)).toEqual([]);
    owner?.release();
    await keepsake.externalEdits.recordOutsideEdits();
    expect(changesOf(keepsake)).toHaveLength(1);
  });

  it('is not rescanned immediately by a command that only reads', async () => {
    const { folder, keepsake, clock } = await adopted();
    await keepsake.externalEdits.recordOutsideEdits();
    rmSync(join(folder, 'Wifi.md'));
    await rescan(keepsake);
    await keepsake.externalEdits.recordOutsideEdits({ ifDue: true });
    expect(changesOf(keepsake)).toEqual([]);
    clock.now += 1;
    await keepsake.externalEdits.recordOutsideEdits({ ifDue: true });
    expect(changesOf(keepsake)).toHaveLength(1);
  });
});

it('files that match history are neither read nor looked up in git', async () => {
  const { folder, keepsake, clock } = await adopted();
  const recordedPaths: string[][] = [];
  let listings = 0;
  const changes = {
    ...keepsake.changes,
    recordExternalEdits: (paths: Parameters<Keepsake['changes']['recordExternalEdits']>[0]) => {
      recordedPaths.push([...paths]);
      return keepsake.changes.recordExternalEdits(paths);
    },
    files: () => {
      listings += 1;
      return keepsake.changes.files();
    },
  };
  const parts = { ...keepsake, changes, recorded: createRecordedFiles(memoryDatabase()) };
  const record = () => recordExternalEdits({ ...parts, clock: () => clock.now });
  await record();
  await record();
  writeFileSync(join(folder, 'Boiler.md'), '# Boiler\nServiced in July.\n');
  await rescan(keepsake);
  await record();
  await record();
  expect(recordedPaths.map((paths) => paths.length)).toEqual([3, 0, 1, 0]);
  expect(listings).toBe(1);
});

it('a folder that is not completely in history gets no changes from a scan', async () => {
  const root = temporaryFolder();
  layOut(join(root, 'vault'), notes);
  const environment = readEnvironment({ PATH: process.env['PATH'], XDG_STATE_HOME: join(root, 'state') });
  const keepsake = await openKeepsake({ vault: join(root, 'vault'), environment });
  onTestFinished(async () => void (await keepsake.close()));
  const input = { path: 'New.md', content: 'new\n' };
  await keepsake.callTool({ tool: 'write', input, reader: 'person', origin: 'test' });
  await keepsake.externalEdits.recordOutsideEdits();
  expect(changesOf(keepsake)).toHaveLength(1);
});
