import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { errorCode } from '../vault/index.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

/** The text of the configuration file; empty when there is no file. */
export function readConfigurationText(configFile: string): string {
  try {
    return readFileSync(configFile, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(cause) ?? '')) return '';
    throw new AppError('bad-configuration', `cannot read ${configFile}`, {
      hint: 'make it readable',
      cause,
    });
  }
}

/**
 * The configured vault, without validating the rest of the file; undefined if there is none or the file cannot be read.
 */
export function tryReadConfiguredVault(environment: Environment): string | undefined {
  try {
    const { vault } = (parse(readConfigurationText(environment.configFile)) ?? {}) as { vault?: unknown };
    return typeof vault === 'string' && vault !== '' ? resolveConfiguredPath(vault, environment) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Resolves a path from the configuration file: `~/` is the home folder, and a relative path starts at the folder of the
 * file.
 */
export function resolveConfiguredPath(vault: string, { configFile, home }: Environment): string {
  return resolve(dirname(configFile), vault.replace(/^~(?=\/|$)/, home));
}
