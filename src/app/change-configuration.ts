import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseDocument } from 'yaml';
import { checkConfiguration } from './environment.ts';
import type { Environment } from './environment.ts';

/** Writes one value into the configuration file, or takes it out; everything else in it stays as it is. */
export function setConfigured(
  { configFile }: Environment,
  place: readonly string[],
  value: object | string | null,
): void {
  const document = parseDocument(existsSync(configFile) ? readFileSync(configFile, 'utf8') : '');
  if (value !== null) document.setIn(place, document.createNode(value));
  else if (document.hasIn(place)) document.deleteIn(place);
  checkConfiguration(document.toJS() ?? {}, configFile);
  mkdirSync(dirname(configFile), { recursive: true, mode: 0o700 });
  writeFileSync(configFile, String(document), { mode: 0o600 });
}
