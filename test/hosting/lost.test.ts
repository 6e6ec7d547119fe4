import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerVault } from '../../packages/service/src/hosting/index.ts';
import { missing } from '../missing.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { postgresPrograms } from './postgres.ts';
import { allOf, path, rootKey, startTestService, textIn, update, write } from './test-service.ts';
import type { TestService } from './test-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe.skipIf(missing('PostgreSQL'))('a service', () => {
  it('recovers every vault byte for byte, with its changes and history, when all disks are lost at once', async () => {
    const { pool } = service;
    const nodes = [await service.aNode(), await service.aNode()];
    const vaults = [];
    for (let number = 0; number < 6; number += 1) {
      const vault = await registerVault(pool, rootKey);
      const hosted = await nodes[number % 2]!.open(vault);
      const { keepsake, snapshot } = hosted;
      const first = await write(keepsake, 'a.md', `${number}\n`);
      await write(keepsake, 'picture.png', randomBytes(300_000));
      await keepsake.changes.record();
      // Some vaults are only in the log, others mostly in a snapshot.
      if (number % 3 === 0) await snapshot();
      await write(keepsake, 'a.md', `${number} more\n`, `${number}\n`);
      await keepsake.agents.updates.accept(update(`remember ${number}`));
      vaults.push({ vault, first, all: allOf(keepsake) });
      await hosted.close();
    }
    for (const node of nodes) {
      await service.forget(node);
      node.loseDisk();
    }
    const others = [await service.aNode(), await service.aNode()];
    for (const [number, { vault, first, all }] of vaults.entries()) {
      const hosted = await others[number % 2]!.open(vault);
      expect(allOf(hosted.keepsake)).toEqual(all);
      expect((await hosted.keepsake.changes.restore(first, path('a.md'))).kind).toBe('written');
      expect(textIn(hosted.keepsake, 'a.md')).toBe(`${number}\n`);
      await hosted.close();
    }
  });

  it('whose database was restored to an earlier time opens vaults as they were at that time, whatever the bucket and the disks contain', async () => {
    const { pool, databases, store } = service;
    const vault = await registerVault(pool, rootKey);
    const disk = temporaryFolder();
    const here = await service.aNode({ disk });
    const first = await here.open(vault);
    await write(first.keepsake, 'a.md', 'one\n');
    await first.snapshot();
    await first.close();
    await here.placement.release({ vault, epoch: 1 });

    const dump = execFileSync(join(postgresPrograms(), 'pg_dump'), [databases.urlOf('service')]);
    const at = await databases.createDatabase('earlier');
    execFileSync(join(postgresPrograms(), 'psql'), ['-q', databases.urlOf('earlier')], {
      input: dump,
      stdio: 'pipe',
    });
    // These writes are in the bucket and on the disk, but not in the restored database.
    const later = await here.open(vault);
    await write(later.keepsake, 'a.md', 'later\n', 'one\n');
    await write(later.keepsake, 'picture.png', randomBytes(300_000));
    await later.close();

    const other = await service.aNode({ at });
    const again = await other.open(vault);
    expect(textIn(again.keepsake, 'a.md')).toBe('one\n');
    await write(again.keepsake, 'a.md', 'two\n', 'one\n');
    await write(again.keepsake, 'b.md', 'b\n');
    await again.close();
    await other.placement.release({ vault, epoch: 2 });
    // The disk has a copy of the same epoch, but of another claim.
    const back = await (await service.aNode({ at, disk })).open(vault);
    expect(textIn(back.keepsake, 'a.md')).toBe('two\n');
    await back.close();

    // A missing object is reported, and no empty vault takes its place.
    const { rows } = await at.query<{ snapshot: string }>('select snapshot from vaults where id = $1', [
      vault,
    ]);
    await store.remove(rows[0]?.snapshot ?? '');
    await at.query('update vaults set owner = null where id = $1', [vault]);
    const opening = (await service.aNode({ at })).open(vault);
    await expect(opening).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/failed to .*404/),
    });
  });
});
