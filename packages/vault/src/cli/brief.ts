import { Option } from 'commander';
import type { Command } from 'commander';
import { linkOf, readSettings, remoteOf } from '../hook/index.ts';
import type { Linked } from '../hook/index.ts';
import { createBrief, lostParts, projectOf } from '../sessions/index.ts';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { print } from './show-outcome.ts';

export function briefCommand(cli: Cli): Command {
  const command = vaultCommand('brief')
    .summary('print what a model is told at the start of a session')
    .description(
      'Prints what an AI client that is connected tells its model when a session starts in a folder: lines of the vault about the project that the folder belongs to, at most 1,200 tokens of them.',
    )
    .argument('[folder]', 'where the session starts', '.')
    .addOption(
      new Option('--source <why>', 'why it starts')
        .choices(['startup', 'clear', 'compact'])
        .default('startup'),
    )
    .action(async (folder: string, { source, ...options }: VaultOptions & { source: string }) => {
      const place = cli.environment.resolve(folder);
      const { links } = readSettings(cli.environment.configurationHome);
      const text = await briefFor(cli, options, {
        folder: place,
        source,
        linked: linkOf(place, remoteOf(place), links),
      });
      print(cli, text ?? '', { text }, options);
      cli.finish(exitCode.ok);
    });
  return examples(command, ['brief', 'brief ~/code/startup-x', 'brief --source compact']);
}

/** Null where the person wants none, or there is nothing to tell. */
export async function briefFor(
  cli: Pick<Cli, 'environment' | 'stderr'>,
  options: VaultOptions,
  { folder, source, linked }: { folder: string; source: string; linked: Linked },
): Promise<string | null> {
  if (linked.kind === 'none') return null;
  return withKeepsake(cli, options, async ({ forModels }) => {
    const asked = { linked, folder, remote: remoteOf(folder) };
    const found = projectOf(asked, await forModels.contents(), forModels.layout());
    const { project, by } = found ?? { project: null, by: null };
    const now = Date.now();
    const lost = lostParts(cli.environment, now);
    return createBrief(forModels, { project, by, source, lost, now });
  });
}
