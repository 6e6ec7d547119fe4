import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { systemCode } from '../vault/index.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

/** Empty when there is no file. */
export function configurationText(configFile: string): string {
  try {
    return readFileSync(configFile, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(cause) ?? '')) return '';
    throw new AppError('bad-configuration', `${configFile} cannot be read`, {
      mend: 'make it readable',
      cause,
    });
  }
}

/** The vault that a configuration names, whatever else it says; undefined, too, where it cannot be read. */
export function namedInConfiguration(environment: Environment): string | undefined {
  try {
    const { vault } = (parse(configurationText(environment.configFile)) ?? {}) as { vault?: unknown };
    return typeof vault === 'string' && vault !== '' ? placeOf(vault, environment) : undefined;
  } catch {
    return undefined;
  }
}

/** As written in the file: `~/` is the home folder, anything relative starts from the file. */
export function placeOf(vault: string, { configFile, home }: Environment): string {
  return resolve(dirname(configFile), vault.replace(/^~(?=\/|$)/, home));
}
