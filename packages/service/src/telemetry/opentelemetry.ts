import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Attributes, Context, Meter, Span, Tracer } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { traceChannelName } from '../../../vault/src/trace/index.ts';
import type { SpanInfo, RemoteTraceContext } from '../../../vault/src/trace/index.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';

/** The complete list of exported attributes. Results and error messages are never exported: they may contain vault content. */
const attributeNames = {
  vault: 'keepsake.vault',
  method: 'http.request.method',
  status: 'http.response.status_code',
  tool: 'gen_ai.tool.name',
  mode: 'keepsake.mode',
  model: 'gen_ai.request.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  count: 'keepsake.count',
  bytes: 'keepsake.bytes',
  operation: 'db.operation.name',
} satisfies Record<Exclude<keyof SpanInfo, 'name' | 'parent'>, string>;

/** Attributes of the duration metric; each has low cardinality. */
const metricAttributes = new Set(['tool', 'model', 'operation']);

const spanKinds: Partial<Record<SpanInfo['name'], SpanKind>> = {
  gateway: SpanKind.SERVER,
  mcp: SpanKind.SERVER,
  model: SpanKind.CLIENT,
  sql: SpanKind.CLIENT,
};

/** Exports traced operations as OTLP spans and metrics. This is the only file that imports OpenTelemetry. */
export function createOpenTelemetry({ getEnv, instanceId, version, onError }: TelemetryOptions): Telemetry {
  diag.setLogger(
    {
      error: onError,
      warn: onError,
      info: () => undefined,
      debug: () => undefined,
      verbose: () => undefined,
    },
    { logLevel: DiagLogLevel.WARN },
  );
  const { spans, meters } = createProviders({ getEnv, instanceId, version });
  const meter = meters.getMeter('keepsake', version);
  const tracker = createSpanTracker(spans.getTracer('keepsake', version), createSpanMetrics(meter));
  const unsubscribe = subscribe(tracker);
  return {
    propagationHeaders: tracker.propagationHeaders,
    traceIds: tracker.traceIds,
    registerGauge(name, read) {
      meter.createObservableGauge(name).addCallback((result) => result.observe(read()));
    },
    async shutdown() {
      unsubscribe();
      const ended = await Promise.allSettled([spans.shutdown(), meters.shutdown()]);
      for (const each of ended) if (each.status === 'rejected') onError(String(each.reason));
    },
  };
}

/** Creates the providers that export spans and metrics until they are shut down. */
function createProviders({ getEnv, instanceId, version }: Omit<TelemetryOptions, 'onError'>): {
  spans: TracerProvider;
  meters: MeterProvider;
} {
  const resource = resourceFromAttributes({
    'service.name': 'keepsake',
    'service.version': version,
    'service.instance.id': instanceId,
  }).merge(detectResources({ detectors: [envDetector] }));
  const spans = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(samplingRatio(getEnv)) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: Number(getEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000),
      }),
    ],
  });
  return { spans, meters };
}

/** Records the duration and the model tokens of a finished operation; `startedAt` is a `performance.now()` timestamp. */
type SpanMetrics = { record(operation: SpanInfo, startedAt: number, error: Attributes): void };

function createSpanMetrics(meter: Meter): SpanMetrics {
  const durations = meter.createHistogram('keepsake.work.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100] },
  });
  const tokens = meter.createCounter('keepsake.model.tokens', { unit: '{token}' });
  return {
    record(operation, startedAt, error) {
      durations.record((performance.now() - startedAt) / 1_000, {
        'keepsake.work': operation.name,
        ...error,
        ...toAttributes(operation, (name) => metricAttributes.has(name)),
      });
      const model = operation.model ?? '';
      if (operation.inputTokens !== undefined)
        tokens.add(operation.inputTokens, { [attributeNames.model]: model, 'gen_ai.token.type': 'input' });
      if (operation.outputTokens !== undefined)
        tokens.add(operation.outputTokens, { [attributeNames.model]: model, 'gen_ai.token.type': 'output' });
    },
  };
}

/** Tracks one span per running operation. */
type SpanTracker = Pick<Telemetry, 'propagationHeaders' | 'traceIds'> & {
  /** The trace context of the current asynchronous call chain. */
  current: AsyncLocalStorage<Context>;
  /** Starts the span of an operation and returns the context for its nested calls. */
  start: (operation: SpanInfo) => Context;
  /** Ends the span of an operation; a second call does nothing. `error` is present when the operation failed. */
  end: (operation: SpanInfo & { error?: unknown }) => void;
};

function createSpanTracker(tracer: Tracer, metrics: SpanMetrics): SpanTracker {
  const propagator = new W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<Context>();
  const started = new WeakMap<SpanInfo, { span: Span; at: number }>();
  return {
    current,
    start(operation) {
      const parentContext = current.getStore();
      // Queries outside of any operation are background queries such as heartbeats.
      if (operation.name === 'sql' && parentContext === undefined) return ROOT_CONTEXT;
      const remoteContext =
        operation.parent === undefined ? ROOT_CONTEXT : extractContext(propagator, operation.parent);
      // An MCP call may carry its own trace context, which differs from that of the HTTP request around it.
      const hasOwnRemoteParent = operation.name === 'mcp' && trace.getSpan(remoteContext) !== undefined;
      const context = parentContext === undefined || hasOwnRemoteParent ? remoteContext : parentContext;
      const link =
        hasOwnRemoteParent && parentContext !== undefined ? trace.getSpanContext(parentContext) : undefined;
      const kind =
        spanKinds[operation.name] ??
        (operation.name === 'request' && parentContext === undefined ? SpanKind.SERVER : SpanKind.INTERNAL);
      const name = [operation.name, operation.tool].filter((part) => part !== undefined).join(' ');
      const span = tracer.startSpan(
        name,
        { kind, ...(link !== undefined && { links: [{ context: link }] }) },
        context,
      );
      started.set(operation, { span, at: performance.now() });
      return trace.setSpan(context, span);
    },
    end(operation) {
      const active = started.get(operation);
      if (active === undefined) return;
      started.delete(operation);
      const { span, at } = active;
      const error = 'error' in operation ? { 'error.type': errorType(operation.error) } : {};
      if ('error' in operation || (operation.status ?? 0) >= 500)
        span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttributes({ ...toAttributes(operation, () => true), ...error }).end();
      metrics.record(operation, at, error);
    },
    propagationHeaders() {
      const carrier: Record<string, string> = {};
      propagator.inject(current.getStore() ?? ROOT_CONTEXT, carrier, defaultTextMapSetter);
      return carrier;
    },
    traceIds() {
      const span = trace.getSpanContext(current.getStore() ?? ROOT_CONTEXT);
      return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
    },
  };
}

/** Creates a span for each operation on the diagnostics channel; returns the function that unsubscribes. */
function subscribe({ current, start, end }: SpanTracker): () => void {
  const channel = tracingChannel<Context, SpanInfo>(traceChannelName);
  const onEnd = (operation: unknown): void => {
    // Without an error only the synchronous part has ended; the operation itself ends with asyncEnd.
    if ('error' in (operation as object)) end(operation as SpanInfo);
  };
  const onAsyncEnd = (operation: unknown): void => end(operation as SpanInfo);
  channel.start.bindStore(current, start);
  channel.end.subscribe(onEnd);
  channel.asyncEnd.subscribe(onAsyncEnd);
  return () => {
    channel.start.unbindStore(current);
    channel.end.unsubscribe(onEnd);
    channel.asyncEnd.unsubscribe(onAsyncEnd);
  };
}

function extractContext(
  propagator: W3CTraceContextPropagator,
  { traceparent, tracestate }: RemoteTraceContext,
): Context {
  return propagator.extract(ROOT_CONTEXT, { traceparent, tracestate }, defaultTextMapGetter);
}

function toAttributes(operation: SpanInfo, isIncluded: (name: string) => boolean): Attributes {
  const entries = Object.entries(attributeNames) as [keyof typeof attributeNames, string][];
  return Object.fromEntries(
    entries.flatMap(([field, name]) => {
      const value = operation[field];
      return value === undefined || !isIncluded(field) ? [] : [[name, value]];
    }),
  );
}

/** Never includes the error message, which may name a file. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}

/** The sampling ratio of root spans; child spans follow their parent's decision. */
function samplingRatio(variable: TelemetryOptions['getEnv']): number {
  const sampler = variable('OTEL_TRACES_SAMPLER') ?? '';
  if (sampler.endsWith('always_off')) return 0;
  return sampler.endsWith('traceidratio') ? Number(variable('OTEL_TRACES_SAMPLER_ARG') ?? 1) : 1;
}
