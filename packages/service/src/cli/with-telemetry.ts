import { readPackageVersion } from '../../../vault/src/app/index.ts';
import { createLog } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { startTelemetry } from '../telemetry/index.ts';
import type { Telemetry } from '../telemetry/index.ts';

type TelemetryContext = {
  telemetry: Telemetry;
  /** Writes a line with the trace ids to stderr. */
  log: (entry: object) => void;
};

/** Provides telemetry and a log to a long-running process, and shuts telemetry down after `work`. */
export async function withTelemetry(
  cli: Cli,
  instance: string,
  work: (observed: TelemetryContext) => Promise<void>,
): Promise<void> {
  const write = createLog(cli);
  const telemetry = await startTelemetry({
    getEnv: cli.environment.variable,
    instanceId: instance,
    version: readPackageVersion(),
    onError: (message) => write({ level: 'error', message }),
  });
  try {
    await work({ telemetry, log: (entry) => write({ ...entry, ...telemetry.traceIds() }) });
  } finally {
    await telemetry.shutdown();
  }
}
