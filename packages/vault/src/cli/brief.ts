import { existsSync } from 'node:fs';
import { Option } from 'commander';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import { getRepositoryName, readPlace, readSettings, resolveProjectLink } from '../hook/index.ts';
import type { Brief, BriefRequest, Place, ProjectLink } from '../hook/index.ts';
import { claimLinkOffer, createVaultBrief, resolveProject } from '../sessions/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { note, printResult } from './print-outcome.ts';
import { quoteIfNeeded } from './quote-for-shell.ts';

export function briefCommand(cli: Cli): Command {
  const command = vaultCommand('brief')
    .summary('print the brief a model gets at the start of a session')
    .description(
      'Print the brief that a connected AI client gives its model when a session starts in a folder: lines of the vault about its project or repository, at most 1,200 tokens.',
    )
    .argument('[folder]', 'folder in which the session starts', '.')
    .addOption(
      new Option('--source <why>', 'reason the session starts')
        .choices(['startup', 'clear', 'compact'])
        .default('startup'),
    )
    .action(async (folder: string, { source, ...options }: VaultOptions & { source: string }) => {
      const start = cli.environment.resolve(folder);
      if (!existsSync(start)) throw new AppError('bad-input', `no such folder: ${start}`);
      const place = readPlace(start);
      const { links } = readSettings(cli.environment.configurationHome);
      const linked = resolveProjectLink(place, links);
      const brief = await createBriefForFolder(cli, options, {
        place,
        session: null,
        source,
        linked,
      });
      const text = brief?.text ?? null;
      if (text === null)
        note(
          cli,
          linked.kind === 'none'
            ? 'no brief: sessions in this folder are excluded; include it with: keepsake link --remove'
            : 'no brief: after a compaction, only folders of a project get one',
        );
      printResult(cli, text ?? '', { text, message: brief?.message ?? null }, options);
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['brief', 'brief ~/code/startup-x', 'brief --source compact']);
}

/** Null when the folder is excluded, or there is nothing to say. */
export async function createBriefForFolder(
  cli: Pick<Cli, 'environment' | 'stderr'>,
  options: VaultOptions,
  {
    place,
    session,
    source,
    linked,
  }: Pick<BriefRequest, 'place' | 'source' | 'linked'> & { session: string | null },
): Promise<Brief | null> {
  if (linked.kind === 'none') return null;
  return withKeepsake(cli, options, async (keepsake) => {
    const { restricted } = keepsake;
    const found = resolveProject({ linked, place }, await restricted.contents(), restricted.layout());
    const { project, by } = found ?? { project: null, by: null };
    const command = findLinkCommand(cli, linked, place, project);
    return createVaultBrief(keepsake, cli.environment, {
      project,
      matchedKey: by,
      repository: place.repository,
      linkOffer:
        command === null
          ? null
          : { command, isNew: session !== null && claimLinkOffer(cli.environment.stateHome, place) },
      source,
      session,
      now: Date.now(),
    });
  });
}

/** The command that lets the sessions of a repository be recorded; null if they are, or if the user has chosen that none are. */
function findLinkCommand(
  { environment }: Pick<Cli, 'environment'>,
  linked: ProjectLink,
  { repository }: Place,
  project: string | null,
): string | null {
  const { vault, capture } = readSettings(environment.configurationHome);
  if (repository === null || linked.kind !== 'unknown' || vault === null || capture !== 'linked') return null;
  const name = project ?? getRepositoryName(repository).replace(/^[.-]+/, '');
  return `keepsake link ${quoteIfNeeded(name)}`;
}
