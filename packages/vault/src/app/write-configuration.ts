import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseDocument } from 'yaml';
import { validateConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { replaceFile } from './replace-file.ts';

export type ConfigurationValue = { place: readonly string[]; value: object | string | number | null };

/**
 * Sets values in the configuration file, or removes them (null); changes all of them or none. The rest of the file is
 * unchanged.
 */
export function writeConfiguration({ configFile }: Environment, ...values: ConfigurationValue[]): void {
  const text = changeConfiguration(configFile, values);
  mkdirSync(dirname(configFile), { recursive: true, mode: 0o700 });
  // The file may be a symbolic link.
  replaceFile(existsSync(configFile) ? realpathSync(configFile) : configFile, text);
}

/** The text of the configuration with these values, without storing it. */
export function changeConfiguration(configFile: string, values: readonly ConfigurationValue[]): string {
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
  return String(document);
}
