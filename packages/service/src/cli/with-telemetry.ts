import { packageVersion } from '../../../vault/src/app/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { startTelemetry } from '../telemetry/index.ts';
import type { Telemetry } from '../telemetry/index.ts';

type Observed = {
  telemetry: Telemetry;
  /** A line on stderr that says which trace it belongs to. */
  log: (entry: object) => void;
};

/** For a process that stays: what it tells of its work, and to whom. */
export async function withTelemetry(
  { environment, stderr }: Cli,
  instance: string,
  work: (observed: Observed) => Promise<void>,
): Promise<void> {
  const write = (entry: object): void => void stderr.write(`${JSON.stringify(entry)}\n`);
  const telemetry = await startTelemetry({
    variable: environment.variable,
    instance,
    version: packageVersion(),
    onError: (message) => write({ level: 'error', message }),
  });
  try {
    await work({ telemetry, log: (entry) => write({ ...entry, ...telemetry.ids() }) });
  } finally {
    await telemetry.close();
  }
}
