import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { probeFileSystem } from '../changes/index.ts';
import { describeError } from '../contract/index.ts';
import { findSandbox, trySandbox } from '../intake/index.ts';
import { escapeInvisible, parseLayout, readIdentity, errorCode } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { failedCheck, passed } from './check.ts';
import type { HealthCheck } from './check.ts';
import { databaseFile, hasDatabase, markDamaged } from './database-files.ts';
import type { DatabaseName } from './database-files.ts';
import { findDamage, findWriteProblem } from './databases.ts';
import { checkChangelogs } from './diagnose-changelogs.ts';
import { checkHistory } from './diagnose-history.ts';
import { checkNesting } from './diagnose-nesting.ts';
import { checkSecrets } from './diagnose-secrets.ts';
import { checkService } from './diagnose-service.ts';
import { checkTasks } from './diagnose-tasks.ts';
import { readConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { openKeepsake } from './keepsake.ts';
import type { Keepsake } from './keepsake.ts';
import { checkLeftOvers } from './left-over-state.ts';
import { openWithAppError } from './locks.ts';
import { findDatabaseLoss } from './lost-database.ts';
import { openVaultRoot } from './open-vault-root.ts';
import { getStateFolder } from './state-folder.ts';

type Options = { vault?: string | undefined; state?: string | undefined; environment: Environment };

/** Checks everything that Keepsake needs, in the order in which it needs it. */
export async function diagnose(options: Options): Promise<HealthCheck[]> {
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
  // This check writes test files, which it must not do in a folder that is not a vault.
  if (permitted.every(({ status }) => status === 'ok')) checks.push(checkFileSystem(vault.root));
  // Each of these checks needs the previous ones to pass.
  if (hasNoFailures(checks)) checks.push(checkState(vault.root, options));
  if (hasNoFailures(checks)) checks.push(checkDatabase(vault.root, options));
  if (!hasNoFailures(checks)) return checks;
  const stateFolder = getStateFolder(vault.root, options.state, environment);
  const damaged = findDamagedDatabases(stateFolder);
  checks.push(...checkLeftOvers(vault.root, stateFolder, environment), ...damaged.values());
  // Opening the vault would replace the database of the locks.
  if (!damaged.has('locks')) checks.push(...(await checkOpenVault(options, new Set(damaged.keys()))));
  return checks;
}

const hasNoFailures = (checks: HealthCheck[]): boolean => checks.every(({ status }) => status !== 'failed');

function checkNode(): HealthCheck {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const message = `version ${process.versions.node}`;
  if (major > 24 || (major === 24 && minor >= 15)) return passed('Node.js', message);
  return { name: 'Node.js', status: 'failed', message, hint: 'install Node.js 24.15 or newer' };
}

async function checkGit({ searchPath }: Environment): Promise<HealthCheck> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], {
      env: { PATH: searchPath },
      windowsHide: true,
    });
    return passed('git', stdout.trim().replace('git ', ''));
  } catch {
    const message = 'not found; history is unavailable';
    return { name: 'git', status: 'warning', message, hint: 'install git and add it to PATH' };
  }
}

async function checkSandbox({ searchPath }: Environment): Promise<HealthCheck> {
  const name = 'documents';
  const command = findSandbox(searchPath);
  const converted = 'converted in a separate process';
  if (command === null) return passed(name, `${converted} (install bubblewrap for a sandbox)`);
  const problem = await trySandbox(command);
  if (problem === null) return passed(name, `${converted}, in a sandbox`);
  const message = `${converted}, without a sandbox (${problem})`;
  return { name, status: 'warning', message, hint: 'allow bubblewrap to create user namespaces' };
}

function checkConfiguration(environment: Environment): HealthCheck {
  try {
    readConfiguration(environment);
    const exists = existsSync(environment.configFile);
    return passed('configuration', exists ? environment.configFile : `none (${environment.configFile})`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      name: 'configuration',
      status: 'failed',
      message,
      hint: `fix or delete ${environment.configFile}`,
    };
  }
}

function checkVault({ vault, state, environment }: Options): { check: HealthCheck; root: VaultRoot | null } {
  try {
    const root = openVaultRoot({ vault, state, environment });
    return { check: passed('vault', root), root };
  } catch (error) {
    return { check: failedCheck('vault', error), root: null };
  }
}

function checkAccess(root: VaultRoot): HealthCheck {
  const name = 'permissions';
  if (!canAccess(root, constants.R_OK | constants.X_OK)) {
    return { name, status: 'failed', message: 'the vault cannot be read', hint: `run: chmod u+rx '${root}'` };
  }
  if (!canAccess(root, constants.W_OK)) {
    return {
      name,
      status: 'warning',
      message: 'the vault is read-only',
      hint: `run: chmod u+w '${root}'`,
    };
  }
  return passed(name, 'the vault can be read and written');
}

/**
 * Reports which primitives the file system offers for replacing files while other programs use them. All fallbacks are
 * safe.
 */
function checkFileSystem(root: VaultRoot): HealthCheck {
  const name = 'file system';
  try {
    const { canExchange, canLink, canRenameNoReplace, canDetectWriters } = probeFileSystem(root);
    const ways = [
      canExchange
        ? 'files are replaced atomically'
        : 'no atomic exchange: a file is briefly missing while it is replaced',
      canLink
        ? 'new files are created with hard links'
        : canRenameNoReplace
          ? 'no hard links: new files are moved into place'
          : 'no hard links: new files are renamed into place after a check',
      canDetectWriters
        ? 'files open for writing are detected'
        : 'open writers cannot be detected: files are stamped after a minute without changes',
    ];
    const isBest = canExchange && canLink && canDetectWriters;
    return passed(name, isBest ? 'files are replaced safely while other programs use them' : ways.join('; '));
  } catch (error) {
    const message = `cannot write to the vault (${errorCode(error) ?? describeError(error)})`;
    return { name, status: 'warning', message, hint: 'check whether the disk is full or mounted read-only' };
  }
}

function checkIdentity(root: VaultRoot): HealthCheck {
  const name = 'initialized';
  try {
    const identity = readIdentity(root);
    if (identity !== null) {
      const { problem } = parseLayout(identity.layout);
      if (problem === null) return passed(name, `id ${identity.id}`);
      return {
        name,
        status: 'warning',
        message: `.keepsake/vault.json contains invalid names (${problem}); using the default names, filing is disabled`,
        hint: `set valid names, or restore the default ones: keepsake init '${root}' --map changelog=changelog.md`,
      };
    }
    return {
      name,
      status: 'warning',
      message: 'not initialized; read-only use works',
      hint: `run: keepsake init '${root}'`,
    };
  } catch (error) {
    return failedCheck(name, error);
  }
}

function checkState(root: VaultRoot, { state, environment }: Options): HealthCheck {
  const name = 'state folder';
  let folder: string;
  try {
    folder = getStateFolder(root, state, environment);
  } catch (error) {
    return failedCheck(name, error);
  }
  const problem = findWriteProblem(folder);
  if (problem === null) return passed(name, folder);
  const hint = `free disk space, or make it writable: chmod -R u+rwX '${folder}'`;
  return { name, status: 'failed', message: `${folder} cannot be used (${problem})`, hint };
}

/** Checks whether the database of queue and journal can be read, without changing it. Does not create one. */
function checkDatabase(root: VaultRoot, { state, environment }: Options): HealthCheck {
  const name = 'database';
  const folder = getStateFolder(root, state, environment);
  if (!hasDatabase(folder, 'durable')) return passed(name, 'none yet');
  const file = databaseFile(folder, 'durable');
  try {
    openWithAppError(file, () => {
      const damage = findDamage(file, { isQuick: true });
      if (damage !== null) throw Object.assign(new Error(damage), { code: 'SQLITE_CORRUPT' });
    });
    return passed(name, 'can be read');
  } catch (error) {
    return failedCheck(name, error);
  }
}

/**
 * The damaged databases that can be rebuilt. They are only marked: the next process that opens one replaces it.
 */
function findDamagedDatabases(folder: string): Map<DatabaseName, HealthCheck> {
  const damaged = new Map<DatabaseName, HealthCheck>();
  for (const name of ['locks', 'catalogue', 'index', 'upkeep', 'sync'] as const) {
    const file = databaseFile(folder, name);
    const damage = existsSync(file) ? findDamage(file) : null;
    if (damage === null) continue;
    if (name !== 'locks') markIfPossible(file);
    const hint =
      name === 'locks'
        ? `stop everything that uses the vault, and delete ${file}; it contains nothing else`
        : 'nothing is lost: the next command rebuilds it; restart a running service';
    damaged.set(name, { name, status: 'warning', message: `${file} is damaged (${damage})`, hint });
  }
  return damaged;
}

function markIfPossible(file: string): void {
  try {
    markDamaged(file);
  } catch {
    // On a read-only disk nothing could be rebuilt either.
  }
}

const maxListedItems = 5;

async function checkOpenVault(options: Options, damaged: ReadonlySet<DatabaseName>): Promise<HealthCheck[]> {
  const keepsake = await openKeepsake({ ...options, isPassive: true });
  try {
    const loss = findDatabaseLoss(keepsake.state.folder());
    return [
      ...(loss === null ? [] : [{ name: 'lost data', status: 'failed' as const, ...loss }]),
      await checkFileNames(keepsake),
      ...(await checkNesting(keepsake)),
      await checkSecrets(keepsake, options.environment),
      await checkChangelogs(keepsake),
      await checkTasks(keepsake),
      await checkHistory(keepsake, options.environment),
      ...(await checkService(keepsake, options.environment, damaged)),
    ];
  } finally {
    await keepsake.close();
  }
}

async function checkFileNames({ catalogue }: Keepsake): Promise<HealthCheck> {
  await catalogue.refresh();
  const skipped = catalogue.skipped();
  if (skipped.length === 0) return passed('files', 'all files have valid names and are readable');
  const named = skipped
    .slice(0, maxListedItems)
    .map(({ path, reason }) => `${escapeInvisible(path)}: ${reason}`);
  const more = skipped.length > named.length ? [`and ${skipped.length - named.length} more`] : [];
  const message = [`${skipped.length} skipped`, ...named, ...more].join('\n');
  return {
    name: 'files',
    status: 'warning',
    message,
    hint: 'rename, replace or move them to include them in the vault',
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
