export { startTelemetry } from '../../../service/src/telemetry/start-telemetry.ts';
export type { Telemetry } from './telemetry.ts';
export { traced } from './traced.ts';
