import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { AppError, findOwnerProcess, resolveStateFolder } from '../app/index.ts';
import { requestLoginLink } from '../server/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import { initVault } from '../vault/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';
import { copyDemo } from './copy-demo.ts';
import { exitCode } from './exit-code.ts';
import { quoteForUser } from './quote-for-shell.ts';
import { openBrowser } from './open-browser.ts';
import { serve } from './serve.ts';

/** The demo vault in the package. */
export const demoVault = fileURLToPath(new URL('../../demo/vault', import.meta.url));

export function demoCommand(cli: Cli): Command {
  const command = new Command('demo')
    .summary('explore a demo vault with a year of notes')
    .description(
      'Copy the demo vault (French and English) to a folder, with its dates moved close to today, serve it and open it in the browser. An existing demo is opened as you left it.',
    )
    .argument('[folder]', 'target folder', 'keepsake-demo')
    .option('--no-open', 'only copy it, and print commands to try in the terminal')
    .action(async (folder: string, { open }: { open: boolean }) => {
      const target = cli.environment.resolve(folder);
      const exists = existsSync(target);
      if (exists && (!open || !isDemoVault(target)))
        throw new AppError('bad-target', `${target} already exists`, {
          hint: 'choose a folder that does not exist',
        });
      if (!exists) {
        copyDemo(demoVault, target, formatLocalTime(Date.now()).slice(0, 10));
        initVault(target, { language: 'fr', home: cli.environment.home, clock: Date.now });
        const { replayRecording } = await import('./replay-recording.ts');
        await replayRecording(cli.environment, target, join(demoVault, '../recording.json'));
      }
      cli.stdout.write(`The demo vault is in ${target}.\n`);
      if (open) await openDemo(cli, target);
      else cli.stdout.write(`${nextSteps(folder)}\n`);
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['demo', 'demo ~/try-keepsake', 'demo ~/try-keepsake --no-open']);
}

/** Requests a link from the process that serves the demo; if there is none, this process serves it until stopped. */
async function openDemo(cli: Cli, vault: string): Promise<void> {
  const show = (link: string): void => {
    cli.stdout.write(`open ${link}\n`);
    openBrowser(cli, link);
  };
  const owner = findOwnerProcess(resolveStateFolder({ vault, environment: cli.environment }), Date.now);
  if (owner !== null) {
    return show(await requestLoginLink(owner));
  }
  await serve(cli, {
    vault,
    host: '127.0.0.1',
    // Any free port, because the user's own vault may occupy the default one.
    port: 0,
    log: () => undefined,
    onReady(host) {
      show(host.createLoginLink());
      cli.stdout.write(
        `\nTry in another terminal:\n  cd ${quoteForUser(vault)}\n${commandsToTry}\n\nPress Ctrl-C to stop.\n`,
      );
    },
  });
}

/** Whether the folder is a demo vault, possibly changed since. */
function isDemoVault(folder: string): boolean {
  return (
    existsSync(join(folder, '.keepsake/vault.json')) &&
    readdirSync(join(demoVault, 'projects')).some((name) => existsSync(join(folder, 'projects', name)))
  );
}

/** Each finds something in the demo vault. */
const commandsToTry = [
  '  keepsake find "oxygen probe"',
  '  keepsake find "assurance vol"',
  '  keepsake today',
].join('\n');

function nextSteps(folder: string): string {
  return [
    '',
    'Next:',
    `  cd ${quoteForUser(folder)}`,
    '  keepsake tree --depth 2',
    commandsToTry,
    '  keepsake serve                        (then play the demonstration on the home page)',
    '  keepsake ask "What is due next?"     (needs a model: keepsake config)',
  ].join('\n');
}
