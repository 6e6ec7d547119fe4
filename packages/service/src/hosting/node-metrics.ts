import type { WorkerStatus } from './worker-pool.ts';

/** Metrics of a node in the Prometheus text format. They never contain vault names or content. */
export type NodeMetrics = {
  /** Counts a request as answered here, proxied to the owner of the vault, or failed. */
  countRequest(outcome: 'served' | 'passed' | 'failed'): void;
  observeOpen(seconds: number): void;
  render(now: NodeState): string;
};

type NodeState = {
  awake: number;
  isDraining: boolean;
  workers: readonly WorkerStatus[];
  /** How many workers were replaced. */
  replacements: number;
};

export function createNodeMetrics(): NodeMetrics {
  const requests = { served: 0, passed: 0, failed: 0 };
  const openings = { count: 0, seconds: 0 };
  return {
    countRequest: (outcome) => void (requests[outcome] += 1),
    observeOpen(seconds) {
      openings.count += 1;
      openings.seconds += seconds;
    },
    render: ({ awake, isDraining, workers, replacements }) =>
      [
        '# TYPE keepsake_node_requests_total counter',
        ...Object.entries(requests).map(
          ([outcome, count]) => `keepsake_node_requests_total{outcome="${outcome}"} ${count}`,
        ),
        '# TYPE keepsake_node_opening_seconds summary',
        `keepsake_node_opening_seconds_count ${openings.count}`,
        `keepsake_node_opening_seconds_sum ${openings.seconds.toFixed(3)}`,
        '# TYPE keepsake_node_vaults gauge',
        `keepsake_node_vaults ${awake}`,
        '# TYPE keepsake_node_draining gauge',
        `keepsake_node_draining ${isDraining ? 1 : 0}`,
        '# TYPE keepsake_node_workers gauge',
        `keepsake_node_workers ${workers.length}`,
        '# TYPE keepsake_node_worker_replacements_total counter',
        `keepsake_node_worker_replacements_total ${replacements}`,
        '# TYPE keepsake_node_worker_vaults gauge',
        ...workers.map(({ name, vaults }) => `keepsake_node_worker_vaults{worker="${name}"} ${vaults}`),
        '# TYPE keepsake_node_worker_memory_bytes gauge',
        ...workers.map(
          ({ name, memoryBytes }) => `keepsake_node_worker_memory_bytes{worker="${name}"} ${memoryBytes}`,
        ),
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
        '',
      ].join('\n'),
  };
}
