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
import { traceChannel } from '../../../vault/src/trace/index.ts';
import type { TracedWork, TraceParent } from '../../../vault/src/trace/index.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';

/** All that is ever told of a work. What it gave, and what an error says, may hold words of a vault. */
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
} satisfies Record<Exclude<keyof TracedWork, 'work' | 'parent'>, string>;

/** Those by which durations are told apart: few values each. */
const measured = new Set(['tool', 'model', 'operation']);

const kinds: Partial<Record<TracedWork['work'], SpanKind>> = {
  gateway: SpanKind.SERVER,
  mcp: SpanKind.SERVER,
  model: SpanKind.CLIENT,
  sql: SpanKind.CLIENT,
};

/** The only file that uses OpenTelemetry. It turns traced work into spans and durations, and sends them as OTLP. */
export function openTelemetry({ variable, instance, version, onError }: TelemetryOptions): Telemetry {
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
  const { spans, meters } = openProviders({ variable, instance, version });
  const meter = meters.getMeter('keepsake', version);
  const work = createWorkSpans(spans.getTracer('keepsake', version), createWorkMetrics(meter));
  const unsubscribe = subscribe(work);
  return {
    headers: work.headers,
    ids: work.ids,
    gauge(name, read) {
      meter.createObservableGauge(name).addCallback((result) => result.observe(read()));
    },
    async close() {
      unsubscribe();
      const ended = await Promise.allSettled([spans.shutdown(), meters.shutdown()]);
      for (const each of ended) if (each.status === 'rejected') onError(String(each.reason));
    },
  };
}

/** Collect and export spans and metrics until they are shut down. */
function openProviders({ variable, instance, version }: Omit<TelemetryOptions, 'onError'>): {
  spans: TracerProvider;
  meters: MeterProvider;
} {
  const resource = resourceFromAttributes({
    'service.name': 'keepsake',
    'service.version': version,
    'service.instance.id': instance,
  }).merge(detectResources({ detectors: [envDetector] }));
  const spans = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(shareOfTraces(variable)) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: Number(variable('OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000),
      }),
    ],
  });
  return { spans, meters };
}

/** Records the duration of finished work, and the tokens of a model; `startedAt` as `performance.now()` gives it. */
type WorkMetrics = { record(work: TracedWork, startedAt: number, error: Attributes): void };

function createWorkMetrics(meter: Meter): WorkMetrics {
  const durations = meter.createHistogram('keepsake.work.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100] },
  });
  const tokens = meter.createCounter('keepsake.model.tokens', { unit: '{token}' });
  return {
    record(work, startedAt, error) {
      durations.record((performance.now() - startedAt) / 1_000, {
        'keepsake.work': work.work,
        ...error,
        ...attributesOf(work, (name) => measured.has(name)),
      });
      const model = work.model ?? '';
      if (work.inputTokens !== undefined)
        tokens.add(work.inputTokens, { [attributeNames.model]: model, 'gen_ai.token.type': 'input' });
      if (work.outputTokens !== undefined)
        tokens.add(work.outputTokens, { [attributeNames.model]: model, 'gen_ai.token.type': 'output' });
    },
  };
}

/** One span for each work in progress. */
type WorkSpans = Pick<Telemetry, 'headers' | 'ids'> & {
  /** The context of the work that the current asynchronous call belongs to. */
  current: AsyncLocalStorage<Context>;
  /** Starts the span of a work; returns the context for everything that the work calls. */
  start: (work: TracedWork) => Context;
  /** Ends the span of a work, once; `error` is present when the work failed. */
  end: (work: TracedWork & { error?: unknown }) => void;
};

function createWorkSpans(tracer: Tracer, metrics: WorkMetrics): WorkSpans {
  const propagator = new W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<Context>();
  const started = new WeakMap<TracedWork, { span: Span; at: number }>();
  return {
    current,
    start(work) {
      const around = current.getStore();
      // Queries outside of any work are heartbeats and the like.
      if (work.work === 'sql' && around === undefined) return ROOT_CONTEXT;
      const sent = work.parent === undefined ? ROOT_CONTEXT : contextOf(propagator, work.parent);
      // The first node that receives a request knows its trace; an MCP call within it may belong to another one.
      const isSentApart = work.work === 'mcp' && trace.getSpan(sent) !== undefined;
      const context = around === undefined || isSentApart ? sent : around;
      const link = isSentApart && around !== undefined ? trace.getSpanContext(around) : undefined;
      const kind =
        kinds[work.work] ??
        (work.work === 'request' && around === undefined ? SpanKind.SERVER : SpanKind.INTERNAL);
      const name = [work.work, work.tool].filter((part) => part !== undefined).join(' ');
      const span = tracer.startSpan(
        name,
        { kind, ...(link !== undefined && { links: [{ context: link }] }) },
        context,
      );
      started.set(work, { span, at: performance.now() });
      return trace.setSpan(context, span);
    },
    end(work) {
      const known = started.get(work);
      if (known === undefined) return;
      started.delete(work);
      const { span, at } = known;
      const error = 'error' in work ? { 'error.type': kindOfError(work.error) } : {};
      if ('error' in work || (work.status ?? 0) >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttributes({ ...attributesOf(work, () => true), ...error }).end();
      metrics.record(work, at, error);
    },
    headers() {
      const carrier: Record<string, string> = {};
      propagator.inject(current.getStore() ?? ROOT_CONTEXT, carrier, defaultTextMapSetter);
      return carrier;
    },
    ids() {
      const span = trace.getSpanContext(current.getStore() ?? ROOT_CONTEXT);
      return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
    },
  };
}

/** Makes a span of each work on the diagnostics channel, until the function that it returns is called. */
function subscribe({ current, start, end }: WorkSpans): () => void {
  const channel = tracingChannel<Context, TracedWork>(traceChannel);
  const onEnd = (work: unknown): void => {
    // Without an error only the synchronous part has ended; the work itself ends with asyncEnd.
    if ('error' in (work as object)) end(work as TracedWork);
  };
  const onAsyncEnd = (work: unknown): void => end(work as TracedWork);
  channel.start.bindStore(current, start);
  channel.end.subscribe(onEnd);
  channel.asyncEnd.subscribe(onAsyncEnd);
  return () => {
    channel.start.unbindStore(current);
    channel.end.unsubscribe(onEnd);
    channel.asyncEnd.unsubscribe(onAsyncEnd);
  };
}

function contextOf(propagator: W3CTraceContextPropagator, { traceparent, tracestate }: TraceParent): Context {
  return propagator.extract(ROOT_CONTEXT, { traceparent, tracestate }, defaultTextMapGetter);
}

function attributesOf(work: TracedWork, isWanted: (name: string) => boolean): Attributes {
  const entries = Object.entries(attributeNames) as [keyof typeof attributeNames, string][];
  return Object.fromEntries(
    entries.flatMap(([field, name]) => {
      const value = work[field];
      return value === undefined || !isWanted(field) ? [] : [[name, value]];
    }),
  );
}

/** Never its message: that may name a file. */
function kindOfError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}

/** Of those that begin here: a parent elsewhere has decided already. */
function shareOfTraces(variable: TelemetryOptions['variable']): number {
  const sampler = variable('OTEL_TRACES_SAMPLER') ?? '';
  if (sampler.endsWith('always_off')) return 0;
  return sampler.endsWith('traceidratio') ? Number(variable('OTEL_TRACES_SAMPLER_ARG') ?? 1) : 1;
}
