import { Argument, Command } from 'commander';
import { AppError, readEnvironment } from '../app/index.ts';
import { pluginClients, pluginFolder, removePlugin, runCommand } from '../connect/index.ts';
import { changeSettings } from '../sessions/index.ts';
import { examples } from './command.ts';
import type { Finish } from './command.ts';
import { exitCode } from './exit-code.ts';

export function disconnectCommand(finish: Finish): Command {
  const command = new Command('disconnect')
    .summary('take the plugin out of an AI client')
    .description(
      "Removes what connect --write installed, by the client's own command. The vault stays as it is.",
    )
    .addArgument(new Argument('<client>', 'which one').choices(Object.keys(pluginClients)))
    .action((name: string) => {
      const problems = (pluginClients[name]?.remove ?? []).map((each) => ({
        each,
        problem: runCommand(each),
      }));
      const failed = problems.find(({ problem }) => problem !== null);
      if (failed !== undefined)
        throw new AppError('bad-state', `${failed.each.join(' ')}: ${failed.problem}`, {
          mend: 'remove the plugin keepsake in the client itself',
        });
      const environment = readEnvironment();
      const { clients } = changeSettings(environment, (settings) => ({
        ...settings,
        clients: settings.clients.filter((each) => each !== name),
      }));
      if (clients.length === 0) removePlugin(pluginFolder(environment.dataHome));
      process.stdout.write(`${name} is not connected any more\n`);
      finish(exitCode.ok);
    });
  return examples(command, ['disconnect claude-code']);
}
