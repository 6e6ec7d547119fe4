import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { childPath, rootPath } from '../vault/index.ts';
import { formatForPerson, formatLogLine } from './log-line.ts';
import { reportError } from './print-outcome.ts';

const secret = ['Tr0ub4dor', '9xq'].join('');

it('formatLogLine removes secrets from every value and writes valid JSON', () => {
  const entry = {
    level: 'error',
    vault: 'home',
    message: `connect to postgres://ada:${secret}@db failed: "password=${secret}\\"`,
    nested: { stack: [`at login (token="${secret}")`] },
    ms: 3.5,
  };
  const line = formatLogLine(entry);
  expect(line).not.toContain(secret);
  expect(JSON.parse(line)).toEqual({
    ...entry,
    message: 'connect to postgres://[secret removed]@db failed: "password=[secret removed]\\"',
    nested: { stack: ['at login (token="[secret removed]")'] },
  });
});

it('formatLogLine keeps requests and events as they are', () => {
  const request = {
    event: 'request',
    id: '1cbbff42-7259-4f6c-9345-26eab721532c',
    method: 'GET',
    route: '/api/vaults/{vault}/files/{path}',
    status: 200,
    ms: 1.2,
    caller: null,
  };
  expect(formatLogLine(request)).toBe(JSON.stringify(request));
});

it('reportError prints an error without the secrets in its message', () => {
  let printed = '';
  const stderr = { write: (text: string) => (printed += text) };
  reportError({ stderr: stderr as never }, new Error(`cannot connect to redis://:${secret}@cache`));
  expect(printed).toBe('error: cannot connect to redis://[secret removed]@cache\n');
});

it('formatForPerson says in words what matters, without secrets', () => {
  const paths = [childPath(rootPath, 'a.md')];
  expect(formatForPerson({ upkeep: { kind: 'changed-files', paths } })).toBeNull();
  expect(formatForPerson({ upkeep: { kind: 'recorded', paths } })).toBe(
    'recorded 1 external edit in history',
  );
  expect(formatForPerson({ event: 'request', method: 'GET', route: '/x', status: 200 })).toBeNull();
  expect(formatForPerson({ event: 'request', method: 'GET', route: '/x', status: 500 })).toBe(
    'error: GET /x failed with 500',
  );
  expect(formatForPerson({ vault: 'home', level: 'warn', message: `password: ${secret}` })).toBe(
    'warning: home: password: [secret removed]',
  );
});

it('log entries are written in one place', () => {
  const writers = globSync('packages/*/src/**/*.ts').filter((file) =>
    /stderr\.write\([^;]*(?:JSON\.stringify|formatLogLine)/.test(readFileSync(file, 'utf8')),
  );
  expect(writers).toEqual(['packages/vault/src/cli/log-line.ts']);
});
