import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { parseDocument } from 'yaml';
import { validateConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { fsyncFolder } from './fsync.ts';

type Value = { place: readonly string[]; value: object | string | number | null };

/**
 * Sets values in the configuration file, or removes them (null); changes all of them or none. The rest of the file is
 * unchanged.
 */
export function writeConfiguration({ configFile }: Environment, ...values: Value[]): void {
  const document = parseDocument(existsSync(configFile) ? readFileSync(configFile, 'utf8') : '');
  if (document.errors.length > 0)
    throw new AppError('bad-configuration', `${configFile} is not valid YAML`, {
      hint: 'fix or delete it',
    });
  for (const { place, value } of values) {
    if (value !== null) document.setIn(place, document.createNode(value));
    else if (document.hasIn(place)) document.deleteIn(place);
  }
  validateConfiguration(document.toJS() ?? {}, configFile);
  mkdirSync(dirname(configFile), { recursive: true, mode: 0o700 });
  // A running service may read the file at any time, so it is replaced atomically. The file may be a symbolic link.
  const target = existsSync(configFile) ? realpathSync(configFile) : configFile;
  // A unique name keeps two concurrent commands apart; the flush prevents an empty file after a power loss.
  const temporaryFile = `${target}.${randomUUID()}`;
  try {
    writeFileSync(temporaryFile, String(document), { flag: 'wx', flush: true, mode: 0o600 });
    renameSync(temporaryFile, target);
  } finally {
    rmSync(temporaryFile, { force: true });
  }
  fsyncFolder(dirname(target));
}
