/** Exports traces and metrics of this process and propagates traces between nodes. */
export type Telemetry = {
  /** Headers that propagate the current trace to another node. */
  propagationHeaders(): Record<string, string>;
  /** The ids of the current trace and span, for log lines. */
  traceIds(): { trace_id?: string; span_id?: string };
  /** Registers a gauge; `read` is called at every metric export. */
  registerGauge(name: string, read: () => number): void;
  /** Flushes pending spans and metrics and stops the export. */
  shutdown(): Promise<void>;
};

export type TelemetryOptions = {
  /** Reads an environment variable. The exporter reads the variables of its specification itself. */
  getEnv: (name: string) => string | undefined;
  /** Identifies this process within the service (`service.instance.id`). */
  instanceId: string;
  version: string;
  onError: (message: string) => void;
};
