import type { Command } from 'commander';
import type { Keepsake } from '../app/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { describeUpkeep } from './describe-upkeep.ts';
import { exitCode } from './exit-code.ts';
import { note, printText } from './print-outcome.ts';
import { withProgressBar } from './show-progress.ts';

type IndexOptions = VaultOptions & { rebuild?: boolean; watch?: boolean };

export function indexCommand(cli: Cli): Command {
  const command = vaultCommand('index')
    .summary('update the search index')
    .description(
      'Compare every file with the search index and index what differs. A search does this automatically.',
    )
    .argument('[status]', 'show the status only', (text) => text)
    .option('--rebuild', 'rebuild the index from scratch')
    .option('--watch', 'keep index, stamps, tree.md and history up to date until Ctrl-C')
    .action(async (what: string | undefined, options: IndexOptions) => {
      if (what !== undefined && (what !== 'status' || options.watch === true || options.rebuild === true)) {
        note(cli, 'error: status takes no options: keepsake index status');
        cli.finish(exitCode.refused);
        return;
      }
      await withKeepsake(cli, options, async (keepsake) => {
        const { search } = keepsake;
        if (options.rebuild === true) search.discard();
        const indexed = what === 'status' ? null : await indexAll(cli, search);
        const status = await search.withIndex(async ({ index }) => ({
          indexed,
          ...index.counts(),
          vectors: await search.vectors(),
          loss: keepsake.changes.recentMassDeletion(),
        }));
        const { files, sections, vectors, loss } = status;
        if (options.json === true) cli.stdout.write(`${JSON.stringify(status)}\n`);
        else {
          const news =
            indexed === null ? '' : `indexed ${indexed.files} files (${indexed.sections} new chunks); `;
          const text = `${news}${files} files in ${sections} chunks\n${describeVectors(vectors)}${describeLoss(loss)}`;
          printText(cli, text.trimEnd());
        }
        if (options.watch === true) await watchUntilStopped(cli, keepsake);
      });
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['index', 'index status', 'index --rebuild', 'index --watch']);
}

/** Documents are read before the vectors are computed, so that their text has some, too. */
async function indexAll(cli: Cli, search: Keepsake['search']): Promise<IndexStats> {
  const { files, sections } = await withProgressBar(cli, 'indexing', (onProgress) =>
    search.prepare('fast', onProgress),
  );
  const documents = await withProgressBar(cli, 'reading documents', (onProgress) =>
    search.indexDocuments({ signal: new AbortController().signal, onProgress }),
  );
  await withProgressBar(cli, 'indexing', (onProgress) => search.prepare('deep', onProgress));
  return { files: files + documents, sections };
}

type IndexStats = Awaited<ReturnType<Keepsake['search']['prepare']>>;

function describeVectors(vectors: Awaited<ReturnType<Keepsake['search']['vectors']>>): string {
  if (vectors === null) return '';
  const { sections, missing, problem } = vectors;
  const rest = missing === 0 ? '' : '; the rest are computed by keepsake serve or keepsake index';
  const failed = problem === null ? '' : `warning: the last attempt to compute vectors failed: ${problem}\n`;
  return `${sections - missing} of ${sections} chunks have vectors${rest}\n${failed}`;
}

function describeLoss(loss: ReturnType<Keepsake['changes']['recentMassDeletion']>): string {
  if (loss === null) return '';
  const way = `restore them with: keepsake undo ${loss.id.slice(0, 8)}`;
  return `warning: another program deleted ${loss.files} files at once; ${way}\n`;
}

/** Runs upkeep until the process gets a signal to stop, with a line on standard error for each event. */
async function watchUntilStopped(cli: Cli, keepsake: Keepsake): Promise<void> {
  const upkeep = keepsake.startUpkeep({ onEvent: (event) => note(cli, describeUpkeep(event)) });
  note(cli, `watching ${keepsake.root}; stop with Ctrl-C`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) cli.signals.once(signal, () => resolve());
  });
  await upkeep.stop();
}
