import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

type Attribute = { key: string; value: { stringValue?: string; intValue?: number; doubleValue?: number } };
type SentSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
  links?: { traceId: string; spanId: string }[];
};
type SentTraces = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[];
};
type SentMetrics = { resourceMetrics: { scopeMetrics: { metrics: { name: string }[] }[] }[] };

export type ReceivedSpan = {
  trace: string;
  id: string;
  parent: string | null;
  /** The process that sent it. */
  from: string;
  name: string;
  attributes: Record<string, string | number>;
  links: string[];
};

export type OtlpReceiver = {
  endpoint: string;
  spans: ReceivedSpan[];
  metrics: Set<string>;
  /** All request bodies, unchanged. */
  bodies: string[];
  close(): Promise<void>;
};

/** A telemetry collector for OTLP over HTTP with JSON. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const [spans, metrics, bodies]: [ReceivedSpan[], Set<string>, string[]] = [[], new Set(), []];
  const take = (path: string, body: string): void => {
    bodies.push(body);
    if (path === '/v1/traces')
      for (const { resource, scopeSpans } of (JSON.parse(body) as SentTraces).resourceSpans) {
        const from = String(valuesOf(resource.attributes)['service.instance.id']);
        for (const span of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({
            trace: span.traceId,
            id: span.spanId,
            parent: span.parentSpanId ?? null,
            from,
            name: span.name,
            attributes: valuesOf(span.attributes),
            links: (span.links ?? []).map(({ spanId }) => spanId),
          });
      }
    if (path === '/v1/metrics')
      for (const { scopeMetrics } of (JSON.parse(body) as SentMetrics).resourceMetrics)
        for (const { name } of scopeMetrics.flatMap((scope) => scope.metrics)) metrics.add(name);
  };
  const server = createServer((request, response) => {
    const isPacked = request.headers['content-encoding'] === 'gzip';
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = Buffer.concat(chunks);
      take(request.url ?? '', String(isPacked ? gunzipSync(sent) : sent));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    metrics,
    bodies,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function valuesOf(attributes: readonly Attribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue ?? '']),
  );
}
