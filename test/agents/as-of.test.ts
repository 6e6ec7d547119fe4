import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileChange, processMarker } from '../../packages/vault/src/changes/index.ts';
import { formatLocalTime } from '../../packages/vault/src/contract/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { pdfOf } from '../pdf-of.ts';
import { layOut } from '../temporary-vault.ts';
import { agentVault, looking } from './agent-vault.ts';
import type { AgentVault, AgentVaultOptions } from './agent-vault.ts';
import { keepsake } from './command-line.ts';

const dayMs = 24 * 3_600_000;

/** Noon of the day on which the tests started, because the day may end while they run. */
const noon = new Date().setHours(12, 0, 0, 0);

/** The local day that was `age` days ago. */
const dayOf = (age: number): string => formatLocalTime(noon - age * dayMs).slice(0, 10);

type PastVault = AgentVault & {
  /** The folder for temporary files. */
  temporary: string;
  /** Writes a file at noon of the day that was `age` days ago; null deletes it. */
  write: (name: string, text: string | null, age: number) => Promise<void>;
};

async function pastVault(options: AgentVaultOptions = {}): Promise<PastVault> {
  let age = 0;
  const clock = (): number => (age === 0 ? Date.now() : noon - age * dayMs);
  const vault = await agentVault({}, { ...options, clock });
  const temporary = join(vault.folder, '../temporary');
  mkdirSync(temporary);
  vault.variables['TMPDIR'] = temporary;
  return {
    ...vault,
    temporary,
    async write(name, text, daysAgo) {
      age = daysAgo;
      const path = `vault/${name}` as VaultPath;
      const present = await vault.keepsake.readFile(path);
      const before = present.kind === 'file' ? present.bytes : null;
      const change = createFileChange(path, before, text === null ? null : Buffer.from(text));
      const metadata = { origin: 'test', summary: `wrote ${name}` };
      const written = await vault.keepsake.changes.writer.write(change === null ? [] : [change], metadata);
      if (written.kind !== 'written') throw new Error(written.kind);
      await vault.keepsake.changes.record();
      age = 0;
    },
  };
}

/** A vault in which the API was replaced five days ago. */
async function vaultWithApi(options: AgentVaultOptions = {}): Promise<PastVault> {
  const vault = await pastVault(options);
  await vault.write('bucket/api.md', '# API\nWe use the external heron API.\n', 20);
  await vault.write('bucket/gone.md', '# Gone\nThe heron contract ends in May.\n', 15);
  await vault.write('bucket/api.md', '# API\nWe use our own API instead of heron.\n', 5);
  await vault.write('bucket/gone.md', null, 4);
  return vault;
}

describe('find --as-of', () => {
  it('finds the lines of that day, names the day, and leaves no copy and no change', async () => {
    const vault = await vaultWithApi();
    const changes = vault.keepsake.changes.count();
    const { code, stdout } = await keepsake(vault, ['find', 'heron', '--as-of', dayOf(10)]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^note: from the vault as of ${dayOf(10)}\n\n`));
    expect(stdout).toContain('We use the external heron API.');
    expect(stdout).toContain('The heron contract ends in May.');
    expect(stdout).not.toContain('instead of heron');
    expect(readdirSync(vault.temporary)).toEqual([]);
    expect(vault.text('bucket/api.md')).toContain('instead of heron');
    expect(vault.keepsake.changes.count()).toBe(changes);
  });

  it('finds and cites the text that a document had then', async () => {
    const vault = await pastVault({ model: null });
    const offer = (stone: string): string => pdfOf(`The worktop is made of ${stone}`).toString('latin1');
    await vault.write('bucket/offer.pdf', offer('soapstone'), 20);
    await vault.write('bucket/offer.pdf', offer('granite'), 5);
    const find = async (age: number) =>
      (await keepsake(vault, ['find', 'worktop', '--as-of', dayOf(age)])).stdout;
    expect(await find(10)).toContain('1: The worktop is made of soapstone');
    expect(await find(0)).toContain('1: The worktop is made of granite');
    const ask = async () => keepsake(vault, ['ask', 'which worktop?', '--as-of', dayOf(10)]);
    const { stdout } = await ask();
    expect(stdout).toContain('1  | The worktop is made of soapstone');
    expect(stdout).toContain('note: vault/bucket/offer.pdf: text extracted from the document, page 1');
    await keepsake(vault, ['init', vault.folder, '--language', 'fr']);
    const french = await ask();
    expect(french.stdout).toContain('note : vault/bucket/offer.pdf : texte extrait du document, page 1');
  });

  it('includes the changes of the day itself, and today is the current state', async () => {
    const vault = await vaultWithApi();
    const then = await keepsake(vault, ['find', 'heron', '--as-of', dayOf(5)]);
    expect(then.stdout).toContain('instead of heron');
    expect(then.stdout).toContain('ends in May');
    const now = await keepsake(vault, ['find', 'heron', '--as-of', dayOf(0)]);
    expect(now.stdout).toContain('instead of heron');
    expect(now.stdout).not.toContain('ends in May');
  });

  it('keeps the day out of the paths, and has it in JSON', async () => {
    const vault = await vaultWithApi();
    const args = ['find', 'heron', '--as-of', dayOf(17)];
    expect(await keepsake(vault, [...args, '--paths'])).toMatchObject({
      stdout: 'vault/bucket/api.md\n',
      stderr: `note: from the vault as of ${dayOf(17)}\n`,
    });
    const { stdout } = await keepsake(vault, [...args, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      asOf: dayOf(17),
      sections: [{ path: 'vault/bucket/api.md' }],
    });
  });

  it('limits results by the dates that files had then', async () => {
    const vault = await vaultWithApi();
    const args = ['find', 'heron', '--as-of', dayOf(10), '--paths', '--from', dayOf(16)];
    expect((await keepsake(vault, args)).stdout).toBe('vault/bucket/gone.md\n');
  });

  it('does not find words that were forgotten since, which also removes the copy of a killed process', async () => {
    const vault = await vaultWithApi();
    layOut(vault.temporary, { 'keepsake-as-of-killed/vault/bucket/api.md': 'The external heron API.\n' });
    expect(await keepsake(vault, ['forget', 'external heron', '--yes'])).toMatchObject({ code: 0 });
    expect(readdirSync(vault.temporary)).toEqual([]);
    const { stdout } = await keepsake(vault, ['find', 'heron', 'API', '--as-of', dayOf(17)]);
    expect(stdout).toContain('vault/bucket/api.md');
    expect(stdout).not.toContain('external');
  });

  it('removes the copies of killed processes, and of no other ones', async () => {
    const vault = await vaultWithApi();
    const killed = spawn('sleep', ['600']);
    const marked = (pid: number): string => JSON.stringify({ pid, host: processMarker(pid) });
    const copies = {
      'keepsake-as-of-killed/process.json': marked(killed.pid ?? 0),
      'keepsake-as-of-killed/vault/note.md': 'A private note.\n',
      'keepsake-as-of-running/process.json': marked(process.pid),
      'keepsake-as-of-unknown/process.json': '',
    };
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    layOut(vault.temporary, copies);
    expect(await keepsake(vault, ['find', 'heron', '--as-of', dayOf(10)])).toMatchObject({ code: 0 });
    expect(readdirSync(vault.temporary)).toEqual(['keepsake-as-of-running', 'keepsake-as-of-unknown']);
  });

  it('rejects a day that does not exist, the future, days before history, and --deep', async () => {
    const vault = await vaultWithApi();
    const find = async (...args: string[]) => keepsake(vault, ['find', 'heron', ...args]);
    expect(await find('--as-of', '2026-02-31')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The date 2026-02-31 does not exist.'),
    });
    expect(await find('--as-of', 'yesterday')).toMatchObject({ code: 2 });
    expect((await find('--as-of', dayOf(-2))).stderr).toBe(
      `error: ${dayOf(-2)} is in the future; pass today or an earlier day\n`,
    );
    expect(await find('--as-of', dayOf(21))).toMatchObject({
      code: 2,
      stderr: `error: no vault as of ${dayOf(21)}: the history of the vault begins on ${dayOf(20)}; pass ${dayOf(20)} or a later day\n`,
    });
    expect(await find('--as-of', dayOf(1), '--deep')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('leave out --deep'),
    });
    expect(readdirSync(vault.temporary)).toEqual([]);
  });

  it('says from which day on retention has kept history', async () => {
    const vault = await vaultWithApi({ configuration: 'retention: { history: 10d }\n' });
    await vault.keepsake.agents.applyRetention();
    const { code, stderr } = await keepsake(vault, ['find', 'heron', '--as-of', dayOf(17)]);
    expect(code).toBe(2);
    expect(stderr).toContain(`retention has deleted the history before ${dayOf(15)}`);
    expect((await keepsake(vault, ['find', 'heron', '--as-of', dayOf(15)])).code).toBe(0);
  });

  it('says that a vault without changes has no history', async () => {
    const vault = await pastVault();
    expect(await keepsake(vault, ['find', 'heron', '--as-of', dayOf(0)])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the vault has no history yet'),
    });
  });
});

describe('ask --as-of', () => {
  const quoting = (path: string) => ({
    text: 'An external API [1].',
    calls: [{ tool: 'concat', input: { files: [{ path, lines: '1-20' }] } }],
  });

  it('answers from the lines of that day in a private folder, and counts the cost for the vault', async () => {
    const vault = await vaultWithApi();
    const modes: number[] = [];
    vault.model.respond(() => {
      for (const name of readdirSync(vault.temporary))
        modes.push(statSync(join(vault.temporary, name)).mode & 0o777);
      return { ...quoting('bucket/api.md'), usage: { input: 1_000, output: 10 } };
    });
    const { code, stdout } = await keepsake(vault, ['ask', 'Which API?', '--as-of', dayOf(10)]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^note: from the vault as of ${dayOf(10)}\n\nAn external API`));
    expect(stdout).toContain('We use the external heron API.');
    expect(vault.model.requests[0]?.userTexts.at(-1)).toMatch(
      new RegExp(`^Today is \\w+ ${dayOf(10)}T23:59`),
    );
    expect(new Set(modes)).toEqual(new Set([0o700]));
    expect(readdirSync(vault.temporary)).toEqual([]);
    expect(vault.keepsake.agents.spentToday().tokens).toBe(1_010 * vault.model.requests.length);
  });

  it('shows what find finds without a model, with the day in French', async () => {
    const vault = await vaultWithApi({ model: null });
    await keepsake(vault, ['init', vault.folder, '--language', 'fr']);
    const { code, stdout } = await keepsake(vault, ['ask', 'heron', '--as-of', dayOf(10)]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^note : d’après le coffre au ${dayOf(10)}\n\n`));
    expect(stdout).toContain('We use the external heron API.');
    expect(readdirSync(vault.temporary)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGHUP'] as const)(
    'removes its folder after %s and an error of the model',
    async (signal) => {
      const vault = await vaultWithApi();
      let requests = 0;
      vault.model.respond(() => (requests++ === 0 ? looking : { fault: 'hang' }));
      const args = ['ask', 'Which API?', '--as-of', dayOf(10)];
      const stopped = await keepsake(vault, args, { stopAt: /search anything/, signal });
      expect(stopped).toMatchObject({ code: 2, stdout: '' });
      expect(readdirSync(vault.temporary)).toEqual([]);
      vault.model.respond(() => ({ fault: 'status', status: 401, body: 'no' }));
      expect((await keepsake(vault, args)).code).toBe(1);
      expect(readdirSync(vault.temporary)).toEqual([]);
    },
  );

  it('hides from the model what is hidden today, also under an earlier path', async () => {
    const vault = await pastVault({ configuration: "agents:\n  exclude: ['private/**']\n" });
    await vault.write('private/diary.md', 'The word is zanzibarquokka.\n', 20);
    await vault.write('bucket/moved.md', 'Another zanzibarquokka.\n', 20);
    await vault.write('bucket/open.md', 'An open note.\n', 20);
    expect(await keepsake(vault, ['mv', 'bucket/moved.md', 'private/moved.md'])).toMatchObject({ code: 0 });
    const paths = ['private/diary.md', 'bucket/moved.md', 'bucket/open.md'];
    vault.model.respond(() => ({
      text: 'A note [3].',
      calls: [{ tool: 'concat', input: { files: paths.map((path) => ({ path })) } }],
    }));
    const asked = await keepsake(vault, ['ask', 'What?', '--as-of', dayOf(10)]);
    expect(asked.stdout).toContain('An open note.');
    expect(asked.stdout).not.toContain('zanzibarquokka');
    expect(JSON.stringify(vault.model.requests)).not.toContain('zanzibarquokka');
    const found = await keepsake(vault, ['find', 'zanzibarquokka', '--as-of', dayOf(10), '--paths']);
    expect(found.stdout.split('\n').toSorted()).toEqual([
      '',
      'vault/bucket/moved.md',
      'vault/private/diary.md',
    ]);
  });

  it('hides from the model what another program moved to a hidden folder later', async () => {
    const vault = await pastVault({ configuration: "agents:\n  exclude: ['private/**']\n" });
    await vault.write('bucket/moved.md', `The word is zanzibarquokka. ${'It is long. '.repeat(20)}\n`, 20);
    await vault.write('bucket/open.md', 'An open note.\n', 20);
    await vault.keepsake.externalEdits.takeBaseline(() => undefined);
    mkdirSync(join(vault.folder, 'private'));
    renameSync(join(vault.folder, 'bucket/moved.md'), join(vault.folder, 'private/moved.md'));
    await keepsake(vault, ['history']);
    appendFileSync(join(vault.folder, 'private/moved.md'), 'And more.\n');
    vault.model.respond(() => ({
      text: 'A note [2].',
      calls: [
        { tool: 'concat', input: { files: ['bucket/moved.md', 'bucket/open.md'].map((path) => ({ path })) } },
      ],
    }));
    const asked = await keepsake(vault, ['ask', 'What?', '--as-of', dayOf(10)]);
    expect(asked.stdout).toContain('An open note.');
    expect(asked.stdout).not.toContain('zanzibarquokka');
  });

  it('shows all lines on a terminal, because read shows only the current file', async () => {
    const vault = await pastVault();
    const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');
    await vault.write('bucket/api.md', `${text}\n`, 20);
    vault.model.respond(() => quoting('bucket/api.md'));
    const args = ['ask', 'Which API?', '--as-of', dayOf(10)];
    const { stdout } = await keepsake(vault, args, { isTerminal: true });
    expect(stdout).toContain('line 16');
    expect(stdout).not.toContain('more line');
    expect(readFileSync(join(vault.folder, 'bucket/api.md'), 'utf8')).toContain('line 16');
  });
});
