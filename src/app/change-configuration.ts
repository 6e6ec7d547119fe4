import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseDocument } from 'yaml';
import { checkConfiguration } from './environment.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

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
  writeFileSync(configFile, String(document), { mode: 0o600 });
}
