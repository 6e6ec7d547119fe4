import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { primitivesOf } from '../changes/index.ts';
import { describeError } from '../contract/index.ts';
import { findSandbox, trySandbox } from '../intake/index.ts';
import { escapeInvisible, layoutFrom, openRoot, readIdentity, systemCode } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { failedWith, ok } from './check.ts';
import type { Check } from './check.ts';
import { openCatalogue, writingProblem } from './databases.ts';
import { checkHistory } from './doctor-history.ts';
import { checkService } from './doctor-service.ts';
import { chooseVault, readConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { openKeepsake } from './keepsake.ts';
import type { Keepsake } from './keepsake.ts';
import { stateFolderOf } from './state-folder.ts';

type Options = { vault?: string | undefined; state?: string | undefined; environment: Environment };

/** Looks at everything Keepsake needs, in the order in which it needs it. */
export async function diagnose(options: Options): Promise<Check[]> {
  const { environment } = options;
  const checks = [
    checkNode(),
    await checkGit(environment),
    await checkSandbox(environment),
    checkConfiguration(environment),
  ];
  const vault = checkVault(options);
  checks.push(vault.check);
  if (vault.root === null) return checks;
  const permitted = [checkAccess(vault.root), checkIdentity(vault.root)];
  checks.push(...permitted);
  // It has to be tried, and nothing is tried in a folder that is no vault.
  if (permitted.every(({ status }) => status === 'ok')) checks.push(checkFileSystem(vault.root));
  // What follows needs what came before.
  if (isSound(checks)) checks.push(checkState(vault.root, options));
  if (isSound(checks)) checks.push(...(await checkOpened(options)));
  return checks;
}

const isSound = (checks: Check[]): boolean => checks.every(({ status }) => status !== 'failed');

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const message = `version ${process.versions.node}`;
  if (major > 24 || (major === 24 && minor >= 15)) return ok('Node.js', message);
  return { name: 'Node.js', status: 'failed', message, mend: 'install Node.js 24.15 or newer' };
}

async function checkGit({ searchPath }: Environment): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { env: { PATH: searchPath } });
    return ok('git', stdout.trim().replace('git ', ''));
  } catch {
    const message = 'not found; reading works without it, history does not';
    return { name: 'git', status: 'warning', message, mend: 'install git and make sure that it is in PATH' };
  }
}

async function checkSandbox({ searchPath }: Environment): Promise<Check> {
  const name = 'documents';
  const command = findSandbox(searchPath);
  const alone = 'are read in a process of their own';
  if (command === null) return ok(name, `${alone}; where bubblewrap is installed, in a sandbox, too`);
  const problem = await trySandbox(command);
  if (problem === null) return ok(name, `${alone}, in a sandbox`);
  const message = `${alone}, but in no sandbox (${problem})`;
  return { name, status: 'warning', message, mend: 'let bubblewrap create user namespaces' };
}

function checkConfiguration(environment: Environment): Check {
  try {
    readConfiguration(environment);
    const exists = existsSync(environment.configFile);
    return ok('configuration', exists ? environment.configFile : `none (${environment.configFile})`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      name: 'configuration',
      status: 'failed',
      message,
      mend: `correct or delete ${environment.configFile}`,
    };
  }
}

function checkVault({ vault, environment }: Options): { check: Check; root: VaultRoot | null } {
  try {
    const root = openRoot(chooseVault(vault, environment));
    return { check: ok('vault', root), root };
  } catch (error) {
    return { check: failedWith('vault', error), root: null };
  }
}

function checkAccess(root: VaultRoot): Check {
  const name = 'permissions';
  if (!canAccess(root, constants.R_OK | constants.X_OK)) {
    return { name, status: 'failed', message: 'the vault cannot be read', mend: `chmod u+rx '${root}'` };
  }
  if (!canAccess(root, constants.W_OK)) {
    return {
      name,
      status: 'warning',
      message: 'the vault can be read but not written',
      mend: `chmod u+w '${root}'`,
    };
  }
  return ok(name, 'the vault can be read and written');
}

/** How files are changed under the hands of others; each way is safe, and the first is the best. */
function checkFileSystem(root: VaultRoot): Check {
  const name = 'file system';
  try {
    const { canExchange, canLink, canMoveToFree, seesWriters } = primitivesOf(root);
    const ways = [
      canExchange
        ? 'a changed note is exchanged with the old one in one step'
        : 'it cannot exchange files, so a changed note is missing for a moment while it takes the place of the old one',
      canLink
        ? 'a new one is linked into its place'
        : canMoveToFree
          ? 'it has no hard links, so a new one is moved into its place'
          : 'it has no hard links, so a new one is renamed into its place after a last look',
      seesWriters
        ? 'a note that a program has open for writing is not stamped'
        : 'nobody can tell which notes a program has open for writing, so they are stamped after a minute of quiet',
    ];
    return ok(name, ways.join('; '));
  } catch (error) {
    const message = `nothing can be written into the vault (${systemCode(error) ?? describeError(error)})`;
    return { name, status: 'warning', message, mend: 'is the disk full, or mounted read-only?' };
  }
}

function checkIdentity(root: VaultRoot): Check {
  const name = 'initialised';
  try {
    const identity = readIdentity(root);
    if (identity !== null) {
      const { problem } = layoutFrom(identity.layout);
      if (problem === null) return ok(name, `id ${identity.id}`);
      return {
        name,
        status: 'warning',
        message: `.keepsake/vault.json names files that cannot be used (${problem}); the usual names count, and nothing is filed`,
        mend: `name them again, or take the usual ones: keepsake init '${root}' --map changelog=changelog.md`,
      };
    }
    return {
      name,
      status: 'warning',
      message: 'not yet; it can be read all the same',
      mend: `keepsake init '${root}'`,
    };
  } catch (error) {
    return failedWith(name, error);
  }
}

function checkState(root: VaultRoot, { state, environment }: Options): Check {
  const name = 'state folder';
  let folder: string;
  try {
    folder = stateFolderOf(root, state, environment);
  } catch (error) {
    return failedWith(name, error);
  }
  const { notKept, close } = openCatalogue(folder);
  close();
  const problem = notKept ?? writingProblem(folder);
  if (problem === null) return ok(name, folder);
  const mend = `make room on its disk, or make it writable: chmod -R u+rwX '${folder}'`;
  return { name, status: 'failed', message: `${folder} cannot be used (${problem})`, mend };
}

const mostNamed = 5;

async function checkOpened(options: Options): Promise<Check[]> {
  const keepsake = await openKeepsake(options);
  try {
    return [
      await checkNames(keepsake),
      await checkHistory(keepsake),
      ...(await checkService(keepsake, options.environment)),
    ];
  } finally {
    await keepsake.close();
  }
}

async function checkNames({ catalogue }: Keepsake): Promise<Check> {
  await catalogue.refresh();
  const skipped = catalogue.skipped();
  if (skipped.length === 0) return ok('files', 'every file can be named and read');
  const named = skipped.slice(0, mostNamed).map(({ path, reason }) => `${escapeInvisible(path)}: ${reason}`);
  const more = skipped.length > named.length ? [`and ${skipped.length - named.length} more`] : [];
  const message = [`${skipped.length} passed over`, ...named, ...more].join('\n');
  return {
    name: 'files',
    status: 'warning',
    message,
    mend: 'rename, replace or move them if they should be part of the vault',
  };
}

function canAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
