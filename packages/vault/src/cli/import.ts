import { existsSync } from 'node:fs';
import { Option } from 'commander';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import { importInto, importKinds } from '../import/index.ts';
import type { ImportKind, ImportReport } from '../import/index.ts';
import { initVault, showBytes } from '../vault/index.ts';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { describeInit, shownInit } from './init.ts';
import { interruptible } from './live.ts';
import { print } from './show-outcome.ts';
import { showPhases } from './show-phases.ts';

type ImportOptions = VaultOptions & { into?: string; as?: ImportKind; dryRun?: boolean; adopt?: boolean };

export function importCommand(cli: Cli): Command {
  const command = vaultCommand('import')
    .summary('bring in notes, documents and conversations from elsewhere')
    .description(
      'Copies an Obsidian vault, a folder of documents, a mailbox, or an export of ChatGPT, Claude, Notion or Apple Notes into a bucket. What is imported is copied; the source stays as it is. Everything comes in as one change. Running it again brings in only what is new.',
    )
    .argument('<source>', 'a folder, a .zip as it was downloaded, or an .mbox file')
    .option(
      '--into <folder>',
      'bucket, bucket/<folder>, projects/<project> or projects/<project>/bucket/<folder>',
      'bucket',
    )
    .addOption(
      new Option('--as <kind>', 'what it is (default: seen by what is in it)').choices([...importKinds]),
    )
    .option('--dry-run', 'tell what would be imported, and write nothing')
    .option('--adopt', 'copy nothing: make the folder itself a vault, as keepsake init does')
    .action(async (source: string, options: ImportOptions, self: Command) => {
      const isAlone = !options.dryRun && !options.as && self.getOptionValueSource('into') === 'default';
      if (options.adopt === true && !isAlone)
        throw new AppError('bad-input', '--adopt stands alone: keepsake import --adopt <folder>');
      cli.finish(
        options.adopt === true ? adopt(cli, source, options) : await importAndShow(cli, source, options),
      );
    });
  return examples(command, [
    'import ~/Downloads/chatgpt-export.zip --dry-run',
    'import ~/Documents/obsidian',
    'import ~/Documents/contracts --into projects/house',
    'import ~/Mail/Inbox.mbox --into bucket/mail',
    'import --adopt ~/Documents/obsidian',
  ]);
}

function adopt(cli: Cli, folder: string, options: ImportOptions): ExitCode {
  const { home, language, resolve } = cli.environment;
  if (!existsSync(resolve(folder))) throw new AppError('bad-input', `there is no folder ${folder}`);
  const made = initVault(resolve(folder), { language, home, clock: Date.now });
  print(cli, describeInit(cli, made), shownInit(made), options);
  return exitCode.ok;
}

async function importAndShow(cli: Cli, source: string, options: ImportOptions): Promise<ExitCode> {
  const report = await withKeepsake(cli, options, (keepsake) =>
    interruptible(cli, (signal) =>
      showPhases(cli, (onProgress) =>
        importInto(keepsake, {
          source: cli.environment.resolve(source),
          into: options.into,
          kind: options.as,
          isDryRun: options.dryRun === true,
          signal,
          onProgress,
        }),
      ).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        throw new AppError('stopped', 'stopped; nothing was written', {
          mend: 'the same command goes on from here',
        });
      }),
    ),
  );
  print(cli, describe(report, source), report, options);
  return exitCode.ok;
}

const names: Record<ImportKind, string> = {
  obsidian: 'Obsidian vault',
  folder: 'Folder',
  chatgpt: 'ChatGPT export',
  claude: 'Claude export',
  notion: 'Notion export',
  'apple-notes': 'Apple Notes export',
};

function describe(report: ImportReport, source: string): string {
  const { kind, isDryRun, id, added, replaced, unchanged, bytes, into, renamed, leftOut, kept, warnings } =
    report;
  const rows: [string, number | string][] = [
    ['notes', added.notes],
    ['conversations', added.conversations],
    ['documents', added.documents],
    ['pictures', added.pictures],
    ['other attachments', added.attachments],
    ['changed since', replaced],
    ['imported before', unchanged],
    ['left out', leftOut.length],
    ['names changed', renamed],
    ['size', bytes === 0 ? 0 : showBytes(bytes)],
    ['into', into],
  ];
  const table = rows
    .filter(([, value]) => value !== 0)
    .map(([label, value]) => `  ${label.padEnd(19)}${show(value)}`);
  return [
    `${names[kind]} ${source}`,
    '',
    ...table,
    ...list('Left out:', leftOut),
    ...list('Changed on both sides:', kept),
    ...list(
      'Notes on what was converted:',
      warnings.map((reason) => ({ path: '', reason })),
    ),
    '',
    ending(isDryRun, id, report),
  ].join('\n');
}

const mostListed = 20;

function list(heading: string, entries: readonly { path: string; reason: string }[]): string[] {
  if (entries.length === 0) return [];
  const lines = entries
    .slice(0, mostListed)
    .map(({ path, reason }) => `  ${path === '' ? '' : `${path}: `}${reason}`);
  const more = entries.length - lines.length;
  return ['', heading, ...lines, ...(more > 0 ? [`  … and ${show(more)} more; --json lists all`] : [])];
}

function ending(isDryRun: boolean, id: string | null, { added, replaced }: ImportReport): string {
  const isEmpty = Object.values(added).every((number) => number === 0) && replaced === 0;
  if (isDryRun)
    return isEmpty
      ? 'There is nothing new. Nothing was written.'
      : 'Nothing was written. Without --dry-run it is imported.';
  return id === null
    ? 'There is nothing new. Nothing was written.'
    : `Imported. Undo it with: keepsake undo ${id.slice(0, 8)}`;
}

function show(value: number | string): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value;
}
