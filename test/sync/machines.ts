import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import type { Files } from '../temporary-vault.ts';

export const identity = { '.keepsake/vault.json': '{ "id": "vault-of-all-machines", "version": 1 }\n' };

type Synced = Awaited<ReturnType<Keepsake['sync']['run']>>;

export type Machine = {
  folder: string;
  state: string;
  keepsake: Keepsake;
  /** Writes files; null deletes a file. */
  put: (files: Record<string, string | Uint8Array | null>) => void;
  read: (path: string) => string | null;
  sync: () => Promise<Synced>;
  /** Every synced file with its content. */
  files: () => Record<string, string>;
};

export type Machines = {
  remote: string;
  /** Runs git in the remote. */
  git: (args: string[], input?: string) => string;
  machine: (name: string, files?: Files, remote?: string, clock?: () => number) => Promise<Machine>;
};

/** A bare repository, and machines that share a vault. */
export function createMachines(): Machines {
  const place = temporaryFolder();
  const remote = join(place, 'remote.git');
  const git = (args: string[], input = ''): string =>
    execFileSync('git', ['-C', remote, ...args], { encoding: 'utf8', input, stdio: 'pipe' }).trim();
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  return {
    remote,
    git,
    async machine(name, files = {}, address = remote, clock = Date.now) {
      const [folder, state] = [join(place, name, 'vault'), join(place, name, 'state')];
      mkdirSync(folder, { recursive: true });
      layOut(folder, files);
      const variables = { PATH: process.env['PATH'], XDG_CONFIG_HOME: join(place, name) };
      const environment = { ...readEnvironment(variables), hostName: name };
      const keepsake = await openKeepsake({ vault: folder, state, environment, clock, isJoining: true });
      onTestFinished(async () => void (await keepsake.close()));
      return {
        folder,
        state,
        keepsake,
        put(changed) {
          for (const [path, content] of Object.entries(changed))
            if (content === null) rmSync(join(folder, path));
            else layOut(folder, { [path]: content });
        },
        read: (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null),
        sync: () => keepsake.sync.run(address),
        files: () => filesBelow(folder),
      };
    },
  };
}

function filesBelow(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('.') && path !== 'tree.md')
    .toSorted();
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'latin1')]));
}
