import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { interceptCalls, real } from '../../../../test/intercepted-calls.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { readEnvironment, writeConfiguration } from './index.ts';
import type { Environment } from './index.ts';

const calls = interceptCalls();
afterEach(() => void (calls.intercept = () => null));

function configured(): Environment {
  const home = temporaryFolder();
  const environment = readEnvironment({ HOME: home, XDG_CONFIG_HOME: home });
  mkdirSync(dirname(environment.configFile), { recursive: true });
  writeFileSync(environment.configFile, '# mine\n');
  return environment;
}

const value = { place: ['agents', 'exclude'], value: ['x/**'] };

it('writeConfiguration flushes the new file before the rename, and its folder afterwards', () => {
  const environment = configured();
  const flushed: number[] = [];
  calls.intercept = (name, [what]) => {
    if (name === 'fsyncSync') flushed.push(real.fstatSync(what as number).ino);
    if (name === 'renameSync') expect(flushed).toEqual([real.statSync(what as string).ino]);
    return null;
  };
  writeConfiguration(environment, value);
  expect(flushed).toEqual(
    [environment.configFile, dirname(environment.configFile)].map((path) => statSync(path).ino),
  );
  expect(readFileSync(environment.configFile, 'utf8')).toContain('x/**');
});

it('writeConfiguration writes to a uniquely named temporary file and removes it on failure', () => {
  const environment = configured();
  const folder = dirname(environment.configFile);
  writeFileSync(`${environment.configFile}.new`, 'of another program');
  calls.intercept = (name) => (name === 'renameSync' ? 'EACCES' : null);
  const before = readdirSync(folder);
  expect(() => writeConfiguration(environment, value)).toThrow('EACCES');
  expect(readdirSync(folder)).toEqual(before);
  expect(readFileSync(join(folder, before.find((name) => name.endsWith('.new')) ?? ''), 'utf8')).toBe(
    'of another program',
  );
});
