import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

type Place = { vault: string; run: (locale: string, ...args: string[]) => Promise<Ran> };

function createPlace(): Place {
  const home = temporaryFolder();
  const vault = join(home, 'vault');
  return {
    vault,
    run: (locale, ...args) =>
      runCommand(args, { cwd: home, variables: { HOME: home, LANG: `${locale}.UTF-8` } }),
  };
}

const at = (vault: string): string[] => ['--vault', vault];
const note = { 'bucket/note.md': '# Heizung\n\nDie Pumpe ist neu.\n' };

describe('the language of what is said about a vault', () => {
  it('is that of the vault, whatever the locale', async () => {
    const { vault, run } = createPlace();
    await run('en_US', 'init', vault, '--language', 'fr');
    layOut(vault, note);
    for (const locale of ['en_US', 'fr_FR', 'C']) {
      expect((await run(locale, 'today', ...at(vault))).out).toContain('Modifié depuis');
      expect((await run(locale, 'ask', 'Pumpe', ...at(vault))).out).toContain('Aucun modèle d’IA');
      expect((await run(locale, 'forget', 'Pumpe', ...at(vault))).out).toContain('Trouvé à');
    }
  });

  it('is that of the locale at its creation if none was chosen, and stays', async () => {
    const { vault, run } = createPlace();
    await run('fr_FR', 'init', vault);
    expect(readFileSync(join(vault, 'overview.md'), 'utf8')).toContain("Vue d'ensemble");
    layOut(vault, note);
    expect((await run('en_US', 'today', ...at(vault))).out).toContain('Modifié depuis');
  });

  it('is that of the locale in an adopted folder and in a vault of an earlier version, until one is chosen', async () => {
    const { vault, run } = createPlace();
    layOut(vault, note);
    await run('en_US', 'init', vault);
    expect((await run('fr_FR', 'today', ...at(vault))).out).toContain('Modifié depuis');
    expect((await run('en_US', 'today', ...at(vault))).out).not.toContain('Modifié depuis');
    const chosen = await run('en_US', 'init', vault, '--language', 'fr');
    expect(chosen).toMatchObject({ code: 0, out: expect.stringContaining('only its language changed') });
    expect((await run('en_US', 'today', ...at(vault))).out).toContain('Modifié depuis');
  });

  it('is that of the locale if a later version stored one that is not known here', async () => {
    const { vault, run } = createPlace();
    layOut(vault, note);
    await run('en_US', 'init', vault);
    const file = join(vault, '.keepsake/vault.json');
    layOut(vault, {
      '.keepsake/vault.json': JSON.stringify({
        ...(JSON.parse(readFileSync(file, 'utf8')) as object),
        language: 'de',
      }),
    });
    expect((await run('en_US', 'today', ...at(vault))).code).toBe(0);
    expect((await run('fr_FR', 'today', ...at(vault))).out).toContain('Modifié depuis');
  });
});

it('a question is answered in the language in which it is asked', async () => {
  const { vault, run } = createPlace();
  await run('en_US', 'init', vault, '--language', 'fr');
  layOut(vault, note);
  const home = join(vault, '..');
  const asked = await runCommand(['forget', 'Pumpe'], {
    cwd: vault,
    variables: { HOME: home, LANG: 'en_US.UTF-8' },
    isTerminal: true,
    input: 'oui\n',
  });
  expect(asked.out).toContain('[o/N]');
  expect(asked.code).toBe(0);
  expect(readFileSync(join(vault, 'bucket/note.md'), 'utf8')).not.toContain('Pumpe');
});
