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
import { checkConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { flushFolder } from './flush.ts';

type Value = { place: readonly string[]; value: object | string | number | null };

/** Writes values into the configuration file, or takes them out (null), all or none; everything else in it stays as it is. */
export function setConfigured({ configFile }: Environment, ...values: Value[]): void {
  const document = parseDocument(existsSync(configFile) ? readFileSync(configFile, 'utf8') : '');
  if (document.errors.length > 0)
    throw new AppError('bad-configuration', `${configFile} cannot be read as YAML`, {
      mend: 'correct or delete it',
    });
  for (const { place, value } of values) {
    if (value !== null) document.setIn(place, document.createNode(value));
    else if (document.hasIn(place)) document.deleteIn(place);
  }
  checkConfiguration(document.toJS() ?? {}, configFile);
  mkdirSync(dirname(configFile), { recursive: true, mode: 0o700 });
  // A service reads it at any moment, and must not find half of it. The file may be a link to where somebody keeps it.
  const target = existsSync(configFile) ? realpathSync(configFile) : configFile;
  // Two commands at the same moment must not write into one file, and a power loss must not leave an empty one.
  const fresh = `${target}.${randomUUID()}`;
  try {
    writeFileSync(fresh, String(document), { flag: 'wx', flush: true, mode: 0o600 });
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { force: true });
  }
  flushFolder(dirname(target));
}
