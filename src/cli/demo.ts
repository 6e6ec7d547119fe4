import { cpSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { AppError, initVault, readEnvironment } from '../app/index.ts';
import { examples } from './command.ts';
import type { Finish } from './command.ts';
import { exitCode } from './exit-code.ts';

/** The vault that comes with Keepsake, to look at and to try things on. */
export const demoVault = fileURLToPath(new URL('../../demo/vault', import.meta.url));

export function demoCommand(finish: Finish): Command {
  const command = new Command('demo')
    .summary('get a vault with a year of notes to try things on')
    .description('Copies the demonstration vault, in French and English, into a new folder.')
    .argument('[folder]', 'where to', 'keepsake-demo')
    .action((folder: string) => {
      const target = resolve(folder);
      if (existsSync(target))
        throw new AppError('bad-target', `${target} exists already; name a folder that does not`);
      cpSync(demoVault, target, { recursive: true });
      initVault(target, { language: 'fr', home: readEnvironment().home, clock: Date.now });
      process.stdout.write(`${next(folder, target)}\n`);
      finish(exitCode.ok);
    });
  return examples(command, ['demo', 'demo ~/try-keepsake']);
}

function next(folder: string, target: string): string {
  return [
    `A vault to try things on is in ${target}.`,
    '',
    'Next:',
    `  cd '${folder.replaceAll("'", String.raw`'\''`)}'`,
    '  keepsake tree --depth 2',
    '  keepsake find "décision"',
    '  keepsake ask "What is due next?"     (needs a model: keepsake config)',
  ].join('\n');
}
