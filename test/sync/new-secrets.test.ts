import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { createMachines, identity } from './machines.ts';

const key = ['sk', 'ant', 'api03', 'Zq3vT9xK1mPw7RbN4cYd8LfH2jGs6AeU0oXi5tVk'].join('-');
const refusal = { code: 'new-secrets' };

describe('a secret in a note', () => {
  it('is not sent before the user agrees, and other notes are sent with the next sync', async () => {
    const { machine, git } = createMachines();
    const laptop = await machine('laptop', { ...identity, 'bucket/a.md': 'Words.\n' });
    await laptop.sync();
    laptop.put({ 'bucket/keys.md': `# Keys\n\nAnthropic: ${key}\n`, 'bucket/b.md': 'More words.\n' });
    await expect(laptop.sync()).rejects.toMatchObject(refusal);
    await expect(laptop.sync()).rejects.toThrow('bucket/keys.md:3 (');
    await expect(laptop.sync()).rejects.not.toThrow(key);
    expect(git(['ls-tree', '-r', '--name-only', 'main'])).not.toContain('bucket/keys.md');

    laptop.put({ 'bucket/keys.md': '# Keys\n\nNone.\n' });
    expect(await laptop.sync()).toMatchObject({ sent: 2 });
    expect(git(['log', '--all', '-p'])).not.toContain(key);
  });

  it('is asked about once: neither another line, nor a renamed note, nor another place asks again', async () => {
    const { machine } = createMachines();
    const laptop = await machine('laptop', { ...identity, 'keys.md': `Key: ${key}\n` });
    const asked: string[][] = [];
    const sync = (isAccepted = false): Promise<unknown> =>
      laptop.keepsake.sync.run(undefined, {
        async confirmSecrets(places) {
          asked.push(places.map(({ path, line }) => `${path}:${line}`));
          return isAccepted;
        },
      });
    await expect(laptop.sync()).rejects.toMatchObject(refusal);
    await sync(true);
    laptop.put({ 'keys.md': `Another line.\nKey: ${key}\n` });
    await sync();
    laptop.put({ 'keys.md': null, 'bucket/key.md': `Another line.\nKey: ${key}\n` });
    await sync();
    laptop.put({ 'bucket/copy.md': `Key: ${key}\n` });
    await sync();
    expect(asked).toEqual([['vault/keys.md:1']]);
  });

  it('that the remote has already is not asked about on another machine', async () => {
    const { machine } = createMachines();
    const laptop = await machine('laptop', { ...identity, 'keys.md': `Key: ${key}\n` });
    await laptop.sync().catch(() => undefined);
    await laptop.keepsake.sync.run(undefined, { confirmSecrets: async () => true });
    const desktop = await machine('desktop');
    await desktop.sync();
    desktop.put({ 'keys.md': `Key: ${key}\nFor the agents.\n` });
    expect(await desktop.sync()).toMatchObject({ sent: 1 });
  });
});

describe('keepsake sync', () => {
  const vaultWithKey = () => {
    const place = temporaryFolder();
    const [cwd, remote] = [join(place, 'vault'), join(place, 'remote.git')];
    execFileSync('git', ['init', '--quiet', '--bare', remote]);
    layOut(cwd, { ...identity, 'keys.md': `Key: ${key}\n` });
    const variables = { HOME: join(place, 'home'), XDG_STATE_HOME: join(place, 'state') };
    return { remote, options: { cwd, variables } };
  };

  it('refuses without a terminal, with what to do, until --with-secrets', async () => {
    const { remote, options } = vaultWithKey();
    const refused = await runCommand(['sync', remote], options);
    expect(refused).toMatchObject({ code: 4, out: '' });
    expect(refused.err).toContain('vault/keys.md:1 (');
    expect(refused.err).toContain('keepsake sync --with-secrets');
    expect(refused.err).not.toContain(key);
    expect(await runCommand(['sync', '--with-secrets'], options)).toMatchObject({ code: 0 });
  });

  it('asks on a terminal', async () => {
    const { remote, options } = vaultWithKey();
    const no = await runCommand(['sync', remote], { ...options, isTerminal: true, input: 'n\n' });
    expect(no.out).toContain('  vault/keys.md:1 (');
    expect(no.code).toBe(4);
    const yes = await runCommand(['sync', remote], { ...options, isTerminal: true, input: 'y\n' });
    expect(yes).toMatchObject({ code: 0, out: expect.stringContaining('Send them?') });
  });

  it('stores nothing about the secret once it is forgotten', async () => {
    const { remote, options } = vaultWithKey();
    await runCommand(['sync', remote, '--with-secrets'], options);
    const state = options.variables.XDG_STATE_HOME;
    const refs = () =>
      readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('accepted-secrets'),
      );
    expect(refs()).toHaveLength(1);
    const planned = await runCommand(['forget', key], options);
    const shown = /--shown (\S+)/.exec(planned.out + planned.err)?.[1] ?? '';
    expect(await runCommand(['forget', key, '--shown', shown], options)).toMatchObject({ code: 0 });
    expect(refs()).toEqual([]);
  });

  it('leaves the secret out of what doctor names', async () => {
    const { remote, options } = vaultWithKey();
    const { out } = await runCommand(['doctor', '--json'], options);
    const { checks } = JSON.parse(out) as { checks: { name: string; status: string; message: string }[] };
    expect(checks.find(({ name }) => name === 'secrets')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('vault/keys.md:1 ('),
    });
    expect(out).not.toContain(key);
    await runCommand(['sync', remote, '--with-secrets'], options);
    const after = await runCommand(['doctor', '--json'], options);
    expect(after.out).not.toContain('vault/keys.md:1');
  });
});
