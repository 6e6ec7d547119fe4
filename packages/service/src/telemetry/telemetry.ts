/** What leaves this process about its work, and what ties it to that of others. */
export type Telemetry = {
  /** Makes what another node of ours is asked for part of the present work. */
  headers(): Record<string, string>;
  /** Of the present work, for a line of a log. */
  ids(): { trace_id?: string; span_id?: string };
  /** A number that is read whenever metrics are sent. */
  gauge(name: string, read: () => number): void;
  /** Sends what is left. */
  close(): Promise<void>;
};

export type TelemetryOptions = {
  /** Of the process. The exporter reads the others of its specification itself. */
  variable: (name: string) => string | undefined;
  /** Of this process among those of the service. */
  instance: string;
  version: string;
  onError: (message: string) => void;
};
