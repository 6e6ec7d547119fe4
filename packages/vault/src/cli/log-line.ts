import { redactSecrets } from '../secrets/index.ts';
import type { Io } from './io.ts';

/** Creates the log of a long-running process: one line of JSON per entry on standard error, without secrets. */
export function createLog({ stderr }: Pick<Io, 'stderr'>): (entry: object) => void {
  return (entry) => void stderr.write(`${formatLogLine(entry)}\n`);
}

/** Secrets are removed from each value, not from the line, which must stay valid JSON. */
export function formatLogLine(entry: object): string {
  return JSON.stringify(entry, (_, value: unknown) =>
    typeof value === 'string' ? redactSecrets(value).text : value,
  );
}
