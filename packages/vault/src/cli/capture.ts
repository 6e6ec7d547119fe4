import { Command, Option } from 'commander';
import { chooseAgentModel, findServing } from '../app/index.ts';
import { describeError, localTime } from '../contract/index.ts';
import { captureStatus, describeLost, drain, takeDrain } from '../sessions/index.ts';
import { count, showTime } from '../vault/index.ts';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { print } from './show-outcome.ts';

export function captureCommand(cli: Cli): Command {
  const command = new Command('capture')
    .summary('see what is recorded of sessions of AI clients')
    .description('Shows what waits to be recorded, and brings it into the vault.');
  const status = vaultCommand('status')
    .summary('show which sessions are recorded, what waits, what was lost, and when hooks were called')
    .action(async (options: VaultOptions) => {
      const found = await withKeepsake(cli, options, async ({ root }) =>
        captureStatus(cli.environment, root),
      );
      const { settings, sessions, segments, hooks, lost } = found;
      const lines = [
        `recorded: ${{ linked: 'sessions in linked folders', everywhere: 'all sessions', never: 'no sessions' }[settings.capture]}`,
        `under way: ${count(sessions, 'session')}; over and not in the vault yet: ${count(segments, 'segment')}`,
        `not recorded in the last 7 days: ${describeLost(lost) ?? 'nothing'}${lost.lastAt === null ? '' : `; the last one at ${showTime(localTime(lost.lastAt))}`}`,
        ...(hooks.length === 0 ? ['no hook was called yet'] : hooks.map(hookLine)),
      ];
      print(cli, lines.join('\n'), found, options);
      cli.finish(exitCode.ok);
    });
  const now = vaultCommand('drain')
    .summary('bring sessions that are over into the vault now')
    .description('Does now what keepsake serve and keepsake mcp do every minute.')
    .addOption(new Option('--if-alone', 'leave it to the process that serves the vault').hideHelp())
    .action(async (options: VaultOptions & { ifAlone?: boolean }) => {
      const { environment } = cli;
      const isServed = options.ifAlone === true && (await findServing({ ...options, environment })) !== null;
      const release = isServed ? null : takeDrain(environment.stateHome);
      if (options.ifAlone === true && release === null) return cli.finish(exitCode.ok);
      const hasModel = (): boolean => !('missing' in chooseAgentModel(environment));
      const drained = await withKeepsake(cli, options, (keepsake) =>
        drain({ keepsake, stateHome: environment.stateHome, hasModel, clock: Date.now }),
      ).finally(() => release?.());
      const { notes, updates, dropped, waiting, failed } = drained;
      const said = `${count(notes.length, 'note')}, ${count(updates.length, 'update')}, ${dropped} too short, ${waiting} waiting`;
      print(cli, [said, ...notes].join('\n'), drained, options);
      for (const error of failed) cli.stderr.write(`error: ${describeError(error)}\n`);
      cli.finish(failed.length === 0 ? exitCode.ok : exitCode.errors);
    });
  for (const each of [status, now]) command.addCommand(each);
  return examples(command, ['capture status', 'capture drain']);
}

function hookLine({
  client,
  event,
  at,
  took,
  problem,
}: ReturnType<typeof captureStatus>['hooks'][number]): string {
  return `${client} ${event}: ${showTime(localTime(at))}, ${took} ms${problem === null ? '' : `, failed: ${problem}`}`;
}
