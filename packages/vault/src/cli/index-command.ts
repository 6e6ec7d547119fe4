import type { Command } from 'commander';
import type { Keepsake } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import type { UpkeepEvent } from '../upkeep/index.ts';
import { showPath } from '../vault/index.ts';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { showProgress } from './show-progress.ts';

type IndexOptions = VaultOptions & { rebuild?: boolean; watch?: boolean };

export function indexCommand(cli: Cli): Command {
  const command = vaultCommand('index')
    .summary('bring the search index up to date')
    .description(
      'Compares every file with the search index and indexes what differs. Searching does this by itself.',
    )
    .argument('[status]', 'only tell how things are', (text) => text)
    .option('--rebuild', 'throw the index away and build it anew')
    .option(
      '--watch',
      'go on until Ctrl-C: keep index, stamps, tree.md and history true while files are edited',
    )
    .action(async (what: string | undefined, options: IndexOptions) => {
      if (what !== undefined && (what !== 'status' || options.watch === true || options.rebuild === true)) {
        cli.stderr.write('error: status stands alone and only looks: keepsake index status\n');
        cli.finish(exitCode.refused);
        return;
      }
      await withKeepsake(cli, options, async (keepsake) => {
        const { search } = keepsake;
        if (options.rebuild === true) search.discard();
        const indexed =
          what === 'status'
            ? null
            : await showProgress(cli, 'indexing', (tell) => search.prepare('deep', tell));
        const status = await search.withIndex(async ({ index }) => ({
          indexed,
          ...index.counts(),
          vectors: await search.vectors(),
          loss: keepsake.changes.loss(),
        }));
        const { files, sections, vectors, loss } = status;
        if (options.json === true) cli.stdout.write(`${JSON.stringify(status)}\n`);
        else {
          const news =
            indexed === null ? '' : `indexed ${indexed.files} files (${indexed.sections} sections new); `;
          cli.stdout.write(
            `${news}${files} files in ${sections} sections\n${describeVectors(vectors)}${describeLoss(loss)}`,
          );
        }
        if (options.watch === true) await watchUntilStopped(cli, keepsake);
      });
      cli.finish(exitCode.ok);
    });
  return examples(command, ['index', 'index status', 'index --rebuild', 'index --watch']);
}

function describeVectors(vectors: Awaited<ReturnType<Keepsake['search']['vectors']>>): string {
  if (vectors === null) return '';
  const { sections, missing, problem } = vectors;
  const rest =
    missing === 0 ? '' : '; the others get theirs while keepsake serve runs, or with: keepsake index';
  const failed = problem === null ? '' : `warning: the last attempt to make vectors failed: ${problem}\n`;
  return `${sections - missing} of ${sections} sections have vectors${rest}\n${failed}`;
}

function describeLoss(loss: ReturnType<Keepsake['changes']['loss']>): string {
  if (loss === null) return '';
  const way = `bring them back with: keepsake undo ${loss.id.slice(0, 8)}`;
  return `warning: ${loss.files} files were gone at once, not by Keepsake; ${way}\n`;
}

/** Upkeep until the process is asked to end; a line on standard error for each thing done. */
async function watchUntilStopped({ stderr, signals }: Cli, keepsake: Keepsake): Promise<void> {
  const say = (line: string): void => void stderr.write(`${line}\n`);
  const upkeep = keepsake.startUpkeep({ onEvent: (event) => say(describe(event)) });
  say(`watching ${keepsake.root}; stop with Ctrl-C`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.once(signal, () => resolve());
  });
  await upkeep.stop();
}

function describe(event: UpkeepEvent): string {
  switch (event.kind) {
    case 'noticed':
      return `noticed ${event.paths.length} changed ${event.paths.length === 1 ? 'file' : 'files'}`;
    case 'stamped':
      return `stamped ${event.paths.length > 3 ? `${event.paths.length} files` : event.paths.map(showPath).join(', ')}`;
    case 'tree':
      return 'wrote vault/tree.md';
    case 'recorded':
      return `recorded ${event.paths.length} outside ${event.paths.length === 1 ? 'edit' : 'edits'} in history`;
    case 'baseline':
      return `took ${event.files} files into history as they are${event.left > 0 ? `, ${event.left} to go` : ''}`;
    case 'merged-copy':
      return `merged ${showPath(event.path)} into ${showPath(event.note)}`;
    case 'asked-about-copy':
      return `asked in the inbox about ${showPath(event.path)}, which could not be merged into ${showPath(event.note)}`;
    case 'asked-about-markers':
      return `asked in the inbox about ${showPath(event.path)}, in which git left both sides`;
    case 'embedded':
      return `made vectors of ${event.sections} ${event.sections === 1 ? 'section' : 'sections'}${event.left > 0 ? `, ${event.left} to go` : ''}`;
    case 'foreign-tree':
      return 'warning: vault/tree.md was not generated and is left alone; rename it to have one that is';
    case 'failed':
      return `warning: ${event.doing}: ${describeError(event.error)}`;
    default:
      return event satisfies never;
  }
}
