import type { Command } from 'commander';
import { AppError, resolveAgentModel } from '../app/index.ts';
import { findTranscripts, importSessions, planSessionImport, transcriptClients } from '../sessions/index.ts';
import type {
  SessionImportPlan,
  SessionImportResult,
  SkipReason,
  TranscriptClient,
} from '../sessions/index.ts';
import { pluralize } from '../vault/index.ts';
import { withExamples, parseInteger, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { escapeForTerminal, printResult } from './print-outcome.ts';
import { confirm } from './prompt.ts';
import { withInterrupt } from './show-live.ts';
import { withPhaseBars } from './show-phases.ts';

type Options = VaultOptions & { since?: string; dryRun?: boolean; file?: number; yes?: boolean };

export function importSessionsCommand(cli: Cli): Command {
  const command = vaultCommand('sessions')
    .summary('import earlier sessions of AI clients on this machine')
    .description(
      'Read the transcripts of Claude Code, Codex, Gemini CLI and OpenCode on this machine, show a plan, and after your confirmation write a note per session into bucket/sessions of its project. Secrets are removed, and no model is used. Running it again imports only new turns.',
    )
    .argument('[clients...]', 'claude-code, codex, gemini or opencode (default: all)')
    .option('--since <date>', 'only sessions that ended on or after this date, such as 2026-01')
    .option('--dry-run', 'show the plan without writing')
    .option('--file <number>', 'let the model file this many of the newest sessions', parseInteger)
    .option('--yes', 'do not ask')
    .action(async (clients: string[], _: Options, self: Command) => {
      // Options before the name of the command belong to `import`, which has the same ones.
      cli.finish(await runImport(cli, clients, self.optsWithGlobals()));
    });
  return withExamples(command, [
    'import sessions --dry-run',
    'import sessions claude-code codex --since 2026-01',
    'import sessions --file 10 --yes',
  ]);
}

async function runImport(cli: Cli, names: string[], options: Options): Promise<ExitCode> {
  const { environment } = cli;
  const [clients, since] = [parseClients(names), parseDate(options.since)];
  const file = options.file ?? 0;
  const model = file > 0 ? resolveAgentModel(environment) : null;
  if (model !== null && 'missing' in model) throw model.missing;
  const found = await findTranscripts(clients, environment);
  try {
    return await withKeepsake(cli, options, (keepsake) =>
      withInterrupt(cli, async (signal) => {
        const plan = await withPhaseBars(cli, (onProgress) =>
          planSessionImport({ keepsake, environment, sources: found.sources, since, signal, onProgress }),
        ).catch((error: unknown) => {
          throw signal.aborted ? new AppError('stopped', 'interrupted; nothing was written') : error;
        });
        const { sessions, ...summary } = plan;
        const isOver = options.dryRun === true || sessions.length === 0;
        if (options.json !== true) cli.stdout.write(`${escapeForTerminal(formatPlan(plan), cli.stdout)}\n`);
        if (isOver && options.json === true) printResult(cli, '', { plan: summary, result: null }, options);
        if (isOver) return exitCode.ok;
        if (options.yes !== true && !(await confirm(cli, question[environment.language], options))) {
          cli.stderr.write('nothing was imported; to import, repeat the command with --yes\n');
          return exitCode.refused;
        }
        const result = await withPhaseBars(cli, (onProgress) =>
          importSessions(sessions, { keepsake, environment, file, clock: Date.now, signal, onProgress }),
        );
        return report(cli, summary, result, options);
      }),
    );
  } finally {
    found.close();
  }
}

const question = { en: 'Import these sessions? [y/N] ', fr: 'Importer ces sessions ? [o/N] ' };

function report(
  cli: Cli,
  plan: Omit<SessionImportPlan, 'sessions'>,
  result: SessionImportResult,
  options: Options,
): ExitCode {
  const { notes, updates, failed, left, changes } = result;
  const counts = [
    pluralize(notes, 'session note'),
    ...(updates === 0 ? [] : [`${pluralize(updates, 'session')} submitted to the model`]),
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
  ];
  const undo = changes.length === 1 ? [`Undo with: keepsake undo ${changes.join().slice(0, 8)}`] : [];
  const requested = options.file ?? 0;
  const limited =
    updates < requested && left === 0 && notes > 0
      ? [`The model files at most 20 sessions a day; the others became notes.`]
      : [];
  const lines = [
    `Imported: ${counts.join(', ')}.`,
    ...limited,
    ...failed.slice(0, maxListed).map(({ name, reason }) => `  ${name}: ${reason}`),
    ...undo,
  ];
  printResult(cli, lines.join('\n'), { plan, result }, options);
  if (left > 0)
    throw new AppError('stopped', `interrupted; ${pluralize(left, 'session')} left`, {
      hint: 'run the same command to continue',
    });
  return failed.length === 0 ? exitCode.ok : exitCode.errors;
}

const maxListed = 10;

const reasons: Record<SkipReason, string> = {
  unattended: 'run by a program',
  subagent: 'of subagents',
  short: 'too short',
  excluded: 'in excluded folders',
  own: 'of Keepsake itself',
  recording: 'being recorded now',
  older: 'older',
  unreadable: 'unreadable',
};

function formatPlan({ projects, folders, skipped, sessions }: SessionImportPlan): string {
  const rows = projects.map(({ project, sessions: count, days, words, known }) => [
    project ?? '(no project)',
    ...[count, days, words, known].map((value) => value.toLocaleString('en')),
  ]);
  const table = [['project', 'sessions', 'days', 'words', 'known'], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
  const left = Object.entries(skipped).map(([reason, count]) => `${count} ${reasons[reason as SkipReason]}`);
  return [
    ...(rows.length === 0 ? [] : [...lines, '']),
    ...(folders.length === 0
      ? []
      : [
          `${pluralize(folders.length, 'folder')} without a project; their sessions go into bucket/sessions. Link them first with: keepsake link <project> --folder <folder>`,
          ...folders
            .slice(0, maxListed)
            .map(({ folder, sessions: count }) => `  ${folder} (${pluralize(count, 'session')})`),
          ...(folders.length > maxListed ? [`  … and ${folders.length - maxListed} more`] : []),
          '',
        ]),
    ...(left.length === 0 ? [] : [`Skipped: ${left.join(', ')}.`]),
    sessions.length === 0 ? 'Nothing new to import.' : `${pluralize(sessions.length, 'session')} to import.`,
  ].join('\n');
}

function parseClients(names: readonly string[]): TranscriptClient[] {
  const clients = names.map((name) => {
    const client = transcriptClients.find((each) => each === name || each === `${name}-cli`);
    if (client === undefined)
      throw new AppError('bad-input', `unknown client: ${name}`, {
        hint: 'use claude-code, codex, gemini or opencode',
      });
    return client;
  });
  return clients.length === 0 ? [...transcriptClients] : [...new Set(clients)];
}

/** The start of a year, month or day in local time, in epoch milliseconds. */
function parseDate(text: string | undefined): number | null {
  if (text === undefined) return null;
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  const time = new Date(`${year}-${month}-${day}T00:00:00`).getTime();
  if (Number.isNaN(time))
    throw new AppError('bad-input', `not a date: ${text}`, { hint: 'use 2026, 2026-01 or 2026-01-31' });
  return time;
}
