import type { Telemetry, TelemetryOptions } from './telemetry.ts';

const noopTelemetry: Telemetry = {
  propagationHeaders: () => ({}),
  traceIds: () => ({}),
  registerGauge: () => undefined,
  shutdown: async () => undefined,
};

/** Starts the OTLP export if one of the standard `OTEL_EXPORTER_OTLP_*ENDPOINT` variables is set; otherwise loads nothing. */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { getEnv } = options;
  const endpoints = ['', 'TRACES_', 'METRICS_'].map((signal) => `OTEL_EXPORTER_OTLP_${signal}ENDPOINT`);
  const isOff = getEnv('OTEL_SDK_DISABLED')?.toLowerCase() === 'true';
  if (isOff || endpoints.every((name) => getEnv(name) === undefined)) return noopTelemetry;
  const { createOpenTelemetry } = await import('./opentelemetry.ts');
  return createOpenTelemetry(options);
}
