import type { Telemetry, TelemetryOptions } from './telemetry.ts';

const silent: Telemetry = {
  headers: () => ({}),
  ids: () => ({}),
  gauge: () => undefined,
  close: async () => undefined,
};

/** Sends nothing, and loads nothing, unless an endpoint is set as OpenTelemetry specifies it. */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { variable } = options;
  const endpoints = ['', 'TRACES_', 'METRICS_'].map((signal) => `OTEL_EXPORTER_OTLP_${signal}ENDPOINT`);
  const isOff = variable('OTEL_SDK_DISABLED')?.toLowerCase() === 'true';
  if (isOff || endpoints.every((name) => variable(name) === undefined)) return silent;
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(options);
}
