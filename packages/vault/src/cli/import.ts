import { existsSync } from 'node:fs';
import { Option } from 'commander';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import { importSource, importKinds } from '../import/index.ts';
import type { ImportKind, ImportReport } from '../import/index.ts';
import { formatBytes } from '../vault/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { memoriesCommand } from './import-memories.ts';
import { importSessionsCommand } from './import-sessions.ts';
import { createVault, formatInit, toInitResult } from './init.ts';
import { resolvePathArguments } from './path-argument.ts';
import { withInterrupt } from './show-live.ts';
import { printResult } from './print-outcome.ts';
import { withPhaseBars } from './show-phases.ts';

type ImportOptions = VaultOptions & { into?: string; as?: ImportKind; dryRun?: boolean; adopt?: boolean };

export function importCommand(cli: Cli): Command {
  const command = vaultCommand('import')
    .summary('import notes, documents and conversations')
    .description(
      'Copy an Obsidian vault, a folder of documents, a mailbox, or an export of ChatGPT, Claude, Notion or Apple Notes into a bucket, as one change. The source is not modified. Running it again imports only new items.',
    )
    .argument('<source>', 'folder, downloaded .zip archive, or .mbox file')
    .option(
      '--into <folder>',
      'target: bucket, bucket/<folder>, projects/<project> or projects/<project>/bucket/<folder> (default: bucket)',
    )
    .addOption(new Option('--as <kind>', 'source type (default: detected)').choices([...importKinds]))
    .option('--dry-run', 'show what would be imported without writing')
    .option('--adopt', 'turn the folder itself into a vault instead of copying')
    .action(async (source: string, options: ImportOptions) => {
      const isAlone = !options.dryRun && !options.as && options.into === undefined;
      if (options.adopt === true && !isAlone)
        throw new AppError(
          'bad-input',
          '--adopt cannot be combined with other options; run: keepsake import --adopt <folder>',
        );
      cli.finish(
        options.adopt === true
          ? await adopt(cli, source, options)
          : await importAndShow(cli, source, options),
      );
    });
  command.addCommand(memoriesCommand(cli));
  command.addCommand(importSessionsCommand(cli));
  return withExamples(command, [
    'import ~/Downloads/chatgpt-export.zip --dry-run',
    'import ~/Documents/obsidian',
    'import ~/Documents/contracts --into projects/house',
    'import ~/Mail/Inbox.mbox --into bucket/mail',
    'import --adopt ~/Documents/obsidian',
    'import memories --dry-run',
    'import sessions --dry-run',
  ]);
}

async function adopt(cli: Cli, folder: string, options: ImportOptions): Promise<ExitCode> {
  if (!existsSync(cli.environment.resolve(folder)))
    throw new AppError('bad-input', `no such folder: ${folder}`);
  const made = await createVault(cli, folder);
  printResult(cli, formatInit(cli, made), toInitResult(made), options);
  return exitCode.ok;
}

async function importAndShow(cli: Cli, source: string, options: ImportOptions): Promise<ExitCode> {
  const { into } = options;
  const [target] = into === undefined ? [] : await resolvePathArguments(cli, options, [into]);
  const report = await withKeepsake(cli, options, (keepsake) =>
    withInterrupt(cli, (signal) =>
      withPhaseBars(cli, (onProgress) =>
        importSource(keepsake, {
          source: cli.environment.resolve(source),
          into: target,
          kind: options.as,
          isDryRun: options.dryRun === true,
          signal,
          onProgress,
        }),
      ).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        throw new AppError('stopped', 'interrupted; nothing was written', {
          hint: 'run the same command to resume',
        });
      }),
    ),
  );
  printResult(cli, describe(report, source), report, options);
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
  const {
    kind,
    isDryRun,
    id,
    added,
    replaced,
    unchanged,
    bytes,
    into,
    renamed,
    leftOut,
    kept,
    warnings,
    secrets,
  } = report;
  const rows: [string, number | string][] = [
    ['notes', added.notes],
    ['conversations', added.conversations],
    ['documents', added.documents],
    ['pictures', added.pictures],
    ['other attachments', added.attachments],
    ['updated', replaced],
    ['already imported', unchanged],
    ['skipped', leftOut.length],
    ['renamed', renamed],
    ['with a secret', secrets.length],
    ['size', bytes === 0 ? 0 : formatBytes(bytes)],
    ['into', into],
  ];
  const table = rows
    .filter(([, value]) => value !== 0)
    .map(([label, value]) => `  ${label.padEnd(19)}${show(value)}`);
  return [
    `${names[kind]} ${source}`,
    '',
    ...table,
    ...list('Skipped:', leftOut),
    ...list('Changed on both sides:', kept),
    ...list('Seem to contain a secret:', secrets),
    ...list(
      'Conversion warnings:',
      warnings.map((reason) => ({ path: '', reason })),
    ),
    '',
    ending(isDryRun, id, report),
  ].join('\n');
}

const maxListedItems = 20;

function list(heading: string, entries: readonly { path: string; reason: string }[]): string[] {
  if (entries.length === 0) return [];
  const lines = entries
    .slice(0, maxListedItems)
    .map(({ path, reason }) => `  ${path === '' ? '' : `${path}: `}${reason}`);
  const more = entries.length - lines.length;
  return ['', heading, ...lines, ...(more > 0 ? [`  … and ${show(more)} more; --json lists all`] : [])];
}

function ending(isDryRun: boolean, id: string | null, { added, replaced }: ImportReport): string {
  const isEmpty = Object.values(added).every((number) => number === 0) && replaced === 0;
  if (isDryRun)
    return isEmpty
      ? 'Nothing new to import.'
      : 'Dry run: nothing was written. Run without --dry-run to import.';
  return id === null ? 'Nothing new to import.' : `Imported. Undo with: keepsake undo ${id.slice(0, 8)}`;
}

function show(value: number | string): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value;
}
