import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceProgram } from '../../packages/service/src/cli/program.ts';
import {
  createPlacement,
  readServiceStatus,
  registerVault,
} from '../../packages/service/src/hosting/index.ts';
import { missing } from '../missing.ts';
import { runCommand, startCommand } from '../run-command.ts';
import { rootKey, rootKeyBytes, startTestService } from './test-service.ts';
import type { TestService } from './test-service.ts';

let service: TestService;
let pool: pg.Pool;
let variables: NodeJS.ProcessEnv;
const folder = mkdtempSync(join(tmpdir(), 'keepsake-status-'));

beforeAll(async () => {
  service = await startTestService();
  ({ pool } = service);
  writeFileSync(join(folder, 'root.key'), rootKeyBytes);
  const { databases, settings } = service;
  variables = {
    HOME: folder,
    KEEPSAKE_DATABASE_URL: databases.urlOf('service'),
    KEEPSAKE_ROOT_KEY_FILE: join(folder, 'root.key'),
    KEEPSAKE_S3_ENDPOINT: settings.endpoint,
    KEEPSAKE_S3_BUCKET: settings.bucket,
    AWS_ACCESS_KEY_ID: settings.accessKeyId,
    AWS_SECRET_ACCESS_KEY: settings.secretAccessKey,
  };
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const messages = async (): Promise<string[]> =>
  (await readServiceStatus(pool)).problems.map(({ message }) => message);

describe.skipIf(missing('PostgreSQL'))('the status of a service', () => {
  it('names what an operator should look at, and nothing when all is well', async () => {
    expect(await readServiceStatus(pool)).toMatchObject({ nodes: [], vaults: 0, problems: [] });
    const vault = await registerVault(pool, rootKey);
    expect(await messages()).toEqual(['no node serves the vaults without a group (1 vault)']);

    const placement = createPlacement({ pool, node: 'a', address: 'http://a', rootKey });
    await placement.join();
    // However busy this machine is, the node stays alive until the test says otherwise.
    await pool.query("update nodes set seen_at = 'infinity'");
    expect(await messages()).toEqual([]);
    await placement.claim(vault);
    await pool.query('update nodes set workers = 2, replaced_workers = 1');
    expect(await messages()).toEqual(['node a has replaced 1 workers since it started']);

    await registerVault(pool, rootKey, undefined, { group: 'clinic' });
    await pool.query(
      "insert into log (vault, seq, epoch, sealed) select $1, n, 1, '' from generate_series(1, 5001) as n",
      [vault],
    );
    await pool.query('update vaults set access = null where id = $1', [vault]);
    await pool.query("update nodes set seen_at = clock_timestamp() - interval '1 hour'");
    expect(await messages()).toEqual([
      'node a has sent no heartbeat for 3600 s and still owns 1 vault',
      'no node serves the vaults without a group (1 vault)',
      'no node serves group clinic (1 vault)',
      '1 vault with more than 5000 records that are in no snapshot',
      '1 vault with access settings of an earlier version, which cannot be opened',
    ]);
    const { records, oldestRecordAt } = await readServiceStatus(pool);
    expect([records, oldestRecordAt]).toEqual([5001, expect.any(Date)]);
  });

  it('is printed once, or until the command is interrupted', async () => {
    const options = { program: serviceProgram, variables };
    const { out, code } = await runCommand(['cluster', 'status'], options);
    expect(out).toMatch(
      /^a {2}http:\/\/a {2}down {2}2 workers {2}1 vault\n2 vaults, 5001 records .*\nproblem: /,
    );
    expect([code, out.match(/^ {2}start one with: /gm)?.length]).toEqual([0, 2]);
    const watching = startCommand(['cluster', 'status', '--watch'], options);
    await watching.saying(/(problem: node a[^]*){2}/);
    watching.send('SIGINT');
    expect((await watching.ended).code).toBe(0);
  });
});
