import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { AppError, findOwner, stateFolderFor } from '../app/index.ts';
import { requestLink } from '../server/index.ts';
import { initVault } from '../vault/index.ts';
import { examples } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import { inQuotes } from './in-quotes.ts';
import { openBrowser } from './open-browser.ts';
import { serve } from './serve.ts';

/** The vault that comes with Keepsake, to look at and to try things on. */
export const demoVault = fileURLToPath(new URL('../../demo/vault', import.meta.url));

export function demoCommand(cli: Cli): Command {
  const command = new Command('demo')
    .summary('look around in a vault with a year of notes')
    .description(
      'Copies the demonstration vault, in French and English, into a folder, serves it and opens it in the browser. One that is there already is opened again, as you left it.',
    )
    .argument('[folder]', 'where to', 'keepsake-demo')
    .option('--no-open', 'only copy it, and say what to try in the terminal')
    .action(async (folder: string, { open }: { open: boolean }) => {
      const target = cli.environment.resolve(folder);
      const isThere = existsSync(target);
      if (isThere && (!open || !isDemo(target)))
        throw new AppError('bad-target', `${target} exists already`, { mend: 'name a folder that does not' });
      if (!isThere) {
        cpSync(demoVault, target, { recursive: true });
        initVault(target, { language: 'fr', home: cli.environment.home, clock: Date.now });
        if (open) {
          const { playRecording } = await import('./play-recording.ts');
          await playRecording(cli.environment, target, join(demoVault, '../recording.json'));
        }
      }
      cli.stdout.write(`A vault to try things on is in ${target}.\n`);
      if (open) await openDemo(cli, target);
      else cli.stdout.write(`${next(folder)}\n`);
      cli.finish(exitCode.ok);
    });
  return examples(command, ['demo', 'demo ~/try-keepsake', 'demo ~/try-keepsake --no-open']);
}

/** Whoever serves it already gives the link; else it is served here until it is stopped. */
async function openDemo(cli: Cli, vault: string): Promise<void> {
  const show = (link: string): void => {
    cli.stdout.write(`open ${link}\n`);
    openBrowser(cli, link);
  };
  const owner = findOwner(stateFolderFor({ vault, environment: cli.environment }), Date.now);
  if (owner !== null) {
    return show(await requestLink(owner));
  }
  await serve(cli, {
    vault,
    host: '127.0.0.1',
    // Any that is free: the usual one may be taken by the person's own vault.
    port: 0,
    log: () => undefined,
    onReady(host) {
      show(host.createLink());
      cli.stdout.write('Ctrl C stops it.\n');
    },
  });
}

/** Whether it came from here, whatever was changed in it since. */
function isDemo(folder: string): boolean {
  return (
    existsSync(join(folder, '.keepsake/vault.json')) &&
    readdirSync(join(demoVault, 'projects')).some((name) => existsSync(join(folder, 'projects', name)))
  );
}

function next(folder: string): string {
  return [
    '',
    'Next:',
    `  cd ${inQuotes(folder)}`,
    '  keepsake tree --depth 2',
    '  keepsake find "décision"',
    '  keepsake ask "What is due next?"     (needs a model: keepsake config)',
  ].join('\n');
}
