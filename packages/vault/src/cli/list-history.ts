import { describeChange, formatOrigin } from '../tools/index.ts';
import type { ListedChange } from '../tools/index.ts';
import { formatPath } from '../vault/index.ts';
import { withHistory } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { parsePathArgument } from './path-argument.ts';
import { printLines } from './print-lines.ts';
import { quoteIfNeeded } from './quote-for-shell.ts';
import { terminalWidth, wrapLine } from './wrap-line.ts';
import type { Line } from './wrap-line.ts';

export type HistoryOptions = VaultOptions & { held?: boolean; limit: number; all?: boolean };

/** Prints changes, newest first, of the vault or of one file. */
export async function listHistory(
  cli: Cli,
  path: string | undefined,
  options: HistoryOptions,
): Promise<ExitCode> {
  const { held, limit, all, json } = options;
  const only = path === undefined ? undefined : await parsePathArgument(cli, options, path);
  return withHistory(cli, options, async (keepsake) => {
    const { changes } = keepsake;
    const filter = { path: only, state: held === true ? ('held' as const) : undefined, joinsStamps: true };
    const entries = changes.list({ ...filter, limit: all === true ? Number.MAX_SAFE_INTEGER : limit });
    const total = changes.countListed(filter);
    const isUnknown = only !== undefined && total === 0 && (await keepsake.readFile(only)).kind === 'missing';
    const nothing = isUnknown
      ? `there is no file ${formatPath(only)}, and no change of it`
      : 'no changes yet';
    const width = cli.stdout.isTTY === true ? terminalWidth(cli.stdout) : Infinity;
    const more = formatMore(path, options, { shown: entries.length, total });
    if (json === true) cli.stdout.write(`${JSON.stringify({ changes: entries, total }, null, 2)}\n`);
    else
      printLines(cli.stdout, [
        ...(entries.length === 0 ? [{ parts: [{ text: nothing }] }] : []),
        ...entries.map((entry) => fitChange({ ...entry, paths: entry.paths.map(formatPath) }, width)),
        ...more.map((text): Line => ({ parts: [{ text, style: 'dim' }], hanging: 2 })),
      ]);
    return exitCode.ok;
  });
}

function formatMore(
  path: string | undefined,
  { held, limit }: HistoryOptions,
  { shown, total }: { shown: number; total: number },
): string[] {
  if (shown >= total) return [];
  const command = `keepsake history${path === undefined ? '' : ` ${quoteIfNeeded(path)}`}${held === true ? ' --held' : ''}`;
  const [some, all] = [shown, total].map((count) => count.toLocaleString('en-US'));
  return [`${some} of ${all} changes; more: ${command} --limit ${Math.max(limit, 1) * 5}, all: --all`];
}

const maxPaths = 3;
const maxRows = 2;
/** Below the id. */
const hanging = 18;

/** A change in one row if possible, otherwise in two: with as many paths as fit, and if it is longer without any, cut. */
export function fitChange(change: ListedChange, width: number): Line {
  const countRows = (line: Line): number => wrapLine(line, width).length;
  const lines = Array.from({ length: maxPaths + 1 }, (_, index) => formatLine(change, maxPaths - index));
  for (let rows = 1; rows <= maxRows; rows += 1) {
    const fitting = lines.find((line) => countRows(line) <= rows);
    if (fitting !== undefined) return fitting;
  }
  const words = change.summary.split(/\s+/);
  const cut = (count: number): Line =>
    formatLine({ ...change, summary: `${words.slice(0, count).join(' ')} …` }, 0);
  let count = words.length - 1;
  while (count > 1 && countRows(cut(count)) > maxRows) count -= 1;
  return cut(count);
}

function formatLine(change: ListedChange, paths: number): Line {
  const { time, id, mark, summary } = describeChange(change);
  return {
    hanging,
    parts: [
      { text: `${time}  `, style: 'dim' },
      { text: id, style: 'path' },
      { text: `  ` },
      { text: mark, style: 'bold' },
      { text: summary },
      { text: ` ${formatOrigin(change, paths)}`, style: 'dim' },
    ],
  };
}
