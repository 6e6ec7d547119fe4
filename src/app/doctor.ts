import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { escapeInvisible, openRoot, readIdentity } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { failedWith, ok } from './check.ts';
import type { Check } from './check.ts';
import { openCatalogue } from './databases.ts';
import { checkService } from './doctor-service.ts';
import { chooseVault, readConfiguration } from './environment.ts';
import type { Environment } from './environment.ts';
import { openKeepsake } from './keepsake.ts';
import type { Keepsake } from './keepsake.ts';
import { stateFolderOf } from './state-folder.ts';

type Options = { vault?: string | undefined; state?: string | undefined; environment: Environment };

/** Looks at everything Keepsake needs, in the order in which it needs it. */
export async function diagnose(options: Options): Promise<Check[]> {
  const checks = [checkNode(), await checkGit(), checkConfiguration(options.environment)];
  const vault = checkVault(options);
  checks.push(vault.check);
  if (vault.root === null) return checks;
  checks.push(checkAccess(vault.root), checkIdentity(vault.root));
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

async function checkGit(): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version']);
    return ok('git', stdout.trim().replace('git ', ''));
  } catch {
    const message = 'not found; reading works without it, history does not';
    return { name: 'git', status: 'warning', message, mend: 'install git and make sure that it is in PATH' };
  }
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

function checkIdentity(root: VaultRoot): Check {
  const name = 'initialised';
  try {
    const identity = readIdentity(root);
    if (identity !== null) return ok(name, `id ${identity.id}`);
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
  if (notKept === null) return ok(name, folder);
  const mend = `make it writable: chmod -R u+rwX '${folder}'`;
  return { name, status: 'failed', message: `${folder} cannot be used (${notKept})`, mend };
}

const mostNamed = 5;

async function checkOpened(options: Options): Promise<Check[]> {
  const keepsake = await openKeepsake(options);
  try {
    return [await checkNames(keepsake), ...(await checkService(keepsake, options.environment))];
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
