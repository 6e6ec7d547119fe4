import { Command, Option } from 'commander';
import { resolveAgentModel, findOwnerForVault } from '../app/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import { readCaptureStatus, describeLost, drain, acquireDrainLock } from '../sessions/index.ts';
import { pluralize, formatTime } from '../vault/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printResult, reportError } from './print-outcome.ts';

export function captureCommand(cli: Cli): Command {
  const command = new Command('capture')
    .summary('show and import recorded AI sessions')
    .description('Show pending recordings of AI sessions, or import them into the vault.');
  const status = vaultCommand('status')
    .summary('show capture settings, pending segments, losses and the last hook calls')
    .action(async (options: VaultOptions) => {
      const found = await withKeepsake(cli, options, async ({ root }) =>
        readCaptureStatus(cli.environment, root),
      );
      const { settings, sessions, segments, hooks, lost } = found;
      const lines = [
        `recorded: ${{ linked: 'sessions in linked folders', everywhere: 'all sessions', never: 'no sessions' }[settings.capture]}`,
        `active: ${pluralize(sessions, 'session')}; waiting to be imported: ${pluralize(segments, 'segment')}`,
        `not recorded in the last 7 days: ${describeLost(lost) ?? 'nothing'}${lost.lastAt === null ? '' : `; most recently at ${formatTime(formatLocalTime(lost.lastAt))}`}`,
        ...(hooks.length === 0 ? ['no hook calls yet'] : hooks.map(hookLine)),
      ];
      printResult(cli, lines.join('\n'), found, options);
      cli.finish(exitCode.ok);
    });
  const drainNow = vaultCommand('drain')
    .summary('import finished sessions into the vault now')
    .description(
      'Add recorded sessions to the vault now. keepsake serve and keepsake mcp do this every minute.',
    )
    .addOption(new Option('--if-alone', 'do nothing if another process serves the vault').hideHelp())
    .action(async (options: VaultOptions & { ifAlone?: boolean }) => {
      const { environment } = cli;
      const isServed =
        options.ifAlone === true && (await findOwnerForVault({ ...options, environment })) !== null;
      const release = isServed ? null : acquireDrainLock(environment.stateHome);
      if (options.ifAlone === true && release === null) return cli.finish(exitCode.ok);
      const hasModel = (): boolean => !('missing' in resolveAgentModel(environment));
      const drained = await withKeepsake(cli, options, (keepsake) =>
        drain({ keepsake, stateHome: environment.stateHome, hasModel, clock: Date.now }),
      ).finally(() => release?.());
      const { notes, updates, dropped, waiting, failed } = drained;
      const summary = `${pluralize(notes.length, 'note')}, ${pluralize(updates.length, 'update')}, ${dropped} too short, ${waiting} waiting`;
      printResult(cli, [summary, ...notes].join('\n'), drained, options);
      for (const error of failed) reportError(cli, error);
      cli.finish(failed.length === 0 ? exitCode.ok : exitCode.errors);
    });
  for (const each of [status, drainNow]) command.addCommand(each);
  return withExamples(command, ['capture status', 'capture drain']);
}

function hookLine({
  client,
  event,
  at,
  took,
  problem,
}: ReturnType<typeof readCaptureStatus>['hooks'][number]): string {
  return `${client} ${event}: ${formatTime(formatLocalTime(at))}, ${took} ms${problem === null ? '' : `, failed: ${problem}`}`;
}
