import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { showFound } from '../packages/vault/src/cli/show-found.ts';
import { createWordFinder } from '../packages/vault/src/search/index.ts';
import { formatSearch } from '../packages/vault/src/tools/index.ts';
import { runCommand } from './run-command.ts';
import { temporaryVault } from './temporary-vault.ts';

const files = {
  'Boiler.md': '# Boiler\n\nThe boilers of both houses are serviced by the plumber in June.\n',
  ...Object.fromEntries(
    ['Garden', 'Roof', 'Taxes', 'Bicycle', 'Kitchen', 'Piano'].map((name) => [
      `${name}.md`,
      `# ${name}\n\nSomething about the ${name.toLowerCase()}${name < 'L' ? ', which was serviced' : ''}.\n`,
    ]),
  ),
};

async function showOnTerminal(queries: string[], isComplete: boolean): Promise<string> {
  const { keepsake } = await temporaryVault(files);
  const outcome = await keepsake.readRun('person').search({ queries, mode: 'fast', limit: 50 });
  let out = '';
  const write = (chunk: Buffer, _encoding: unknown, done: () => void): void => {
    out += String(chunk);
    done();
  };
  const stdout = Object.assign(new Writable({ write }), { isTTY: true });
  showFound(stdout, formatSearch(outcome, true), { queries, isComplete, more: [] });
  return stripVTControlCharacters(out);
}

describe('the results of find on a terminal', () => {
  it('are the best passages, then one line per further file', async () => {
    const out = await showOnTerminal(['boiler serviced'], false);
    expect(out).toContain('The boilers of both houses');
    expect(out).not.toContain('Something about the garden');
    expect(out).toMatch(/^vault\/Garden\.md:\d+ {2}0\.\d\d · Garden/m);
    expect(out).toContain('--all shows all results');
  });

  it('are all passages with --all', async () => {
    const out = await showOnTerminal(['boiler serviced'], true);
    expect(out).toContain('Something about the garden');
    expect(out).not.toMatch(/^vault\/Garden\.md:/m);
  });

  it('say what was not searched, and what to try, if nothing was found', async () => {
    const { folder, state } = await temporaryVault(files);
    const { code, err } = await runCommand(['find', 'qqzzxxw', '--vault', folder, '--state', state], {
      isTerminal: true,
    });
    expect(code).toBe(1);
    expect(err).toContain('not searched: the inbox');
    expect(err).toContain('--deep');
  });
});

describe('the words that are marked', () => {
  it('are those of the query, with other endings and accents, but not related ones', () => {
    const text = 'Boilers, décisions, deciding and “serviced”';
    const found = createWordFinder(['decision boiler', '"service"'])(text);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([
      'Boilers',
      'décisions',
      'serviced',
    ]);
  });
});
