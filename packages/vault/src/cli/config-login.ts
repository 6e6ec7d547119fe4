import { Argument, Command } from 'commander';
import { AppError, signInToChatGpt, signOutOfChatGpt } from '../app/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import { openBrowser } from './open-browser.ts';
import { escapeForTerminal } from './print-outcome.ts';
import { withInterrupt } from './show-live.ts';

const service = (): Argument => new Argument('<service>').choices(['chatgpt']);

export function loginCommand(cli: Cli): Command {
  const command = new Command('login')
    .summary('sign in, so that your ChatGPT plan pays for openai/ models')
    .description(
      'Sign in with ChatGPT in the browser of this machine. Models of openai/ then need no API key: they use your ChatGPT plan. A configured API key is used instead of the sign-in.',
    )
    .addArgument(service())
    .option('--new', 'register Keepsake again, for example for another account')
    .action(async (_: string, options: { new?: boolean }) => {
      const email = await withInterrupt(cli, (signal) =>
        signInToChatGpt(cli.environment, {
          signal,
          isNew: options.new,
          onLink(link) {
            cli.stdout.write(`Sign in within 5 minutes at:\n${link}\n`);
            openBrowser(cli, link);
          },
        }).catch((error: unknown) => {
          throw signal.aborted ? new AppError('bad-state', 'the sign-in was stopped') : error;
        }),
      );
      const account = email === null ? '' : ` as ${escapeForTerminal(email, cli.stdout)}`;
      cli.stdout.write(
        `signed in with ChatGPT${account}; models of openai/ use your ChatGPT plan\nsee its usage at https://chatgpt.com/settings/usage\nchoose a model with: keepsake config model openai/<name>\n`,
      );
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['config login chatgpt', 'config login chatgpt --new']);
}

export function logoutCommand(cli: Cli): Command {
  const command = new Command('logout')
    .summary('sign out and revoke the tokens')
    .addArgument(service())
    .action(async () => {
      const { wasSignedIn, problem } = await signOutOfChatGpt(cli.environment);
      cli.stdout.write(wasSignedIn ? 'signed out of ChatGPT\n' : 'not signed in with ChatGPT\n');
      if (problem !== null)
        cli.stderr.write(
          `warning: the tokens were deleted here but not revoked (${escapeForTerminal(problem, cli.stderr)}); remove Keepsake in the settings of ChatGPT\n`,
        );
      cli.finish(problem === null ? exitCode.ok : exitCode.errors);
    });
  return withExamples(command, ['config logout chatgpt']);
}
