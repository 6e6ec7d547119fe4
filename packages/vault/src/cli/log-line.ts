import { redactSecrets } from '../secrets/index.ts';
import type { UpkeepEvent } from '../upkeep/index.ts';
import { describeUpkeep } from './describe-upkeep.ts';
import type { Io } from './io.ts';

/**
 * Creates the log of a long-running process on standard error, without secrets: one line of JSON per entry, or for a person the entries
 * that matter in words.
 */
export function createLog(
  { stderr }: Pick<Io, 'stderr'>,
  { isForPerson = false }: { isForPerson?: boolean } = {},
): (entry: object) => void {
  return (entry) => {
    if (!isForPerson) return void stderr.write(`${formatLogLine(entry)}\n`);
    const line = formatForPerson(entry);
    if (line !== null) stderr.write(`${line}\n`);
  };
}

/** Secrets are removed from each value, not from the line, which must stay valid JSON. */
export function formatLogLine(entry: object): string {
  return JSON.stringify(entry, (_, value: unknown) =>
    typeof value === 'string' ? redactSecrets(value).text : value,
  );
}

type LogEntry = {
  level?: string;
  message?: string;
  /** The name of the vault if several are served. */
  vault?: string;
  upkeep?: UpkeepEvent;
  event?: string;
  status?: number;
  method?: string;
  route?: string;
};

/** Routine work of upkeep. */
const routine: ReadonlySet<UpkeepEvent['kind']> = new Set([
  'changed-files',
  'stamped',
  'tree-written',
  'baseline',
  'embedded',
]);

/** Null for what a person who watches the process does not need: requests that succeed, and routine work. */
export function formatForPerson(entry: object): string | null {
  const { level, message, vault, upkeep, event, status = 0, method, route }: LogEntry = entry;
  const place = vault === undefined ? '' : `${vault}: `;
  if (upkeep !== undefined) return routine.has(upkeep.kind) ? null : redact(place + describeUpkeep(upkeep));
  if (message !== undefined) return redact(`${level === 'warn' ? 'warning' : level}: ${place}${message}`);
  if (event !== 'request') return formatLogLine(entry);
  return status < 500 ? null : redact(`error: ${place}${method} ${route} failed with ${status}`);
}

function redact(line: string): string {
  return redactSecrets(line).text;
}
