/** What a node tells of itself in the words of Prometheus. Never a word of a vault, nor its name. */
export type NodeMetrics = {
  /** A request: answered here, passed on to the node that has the vault, or neither. */
  count(outcome: 'served' | 'passed' | 'failed'): void;
  opened(seconds: number): void;
  text(now: { awake: number; isDraining: boolean }): string;
};

export function createNodeMetrics(): NodeMetrics {
  const requests = { served: 0, passed: 0, failed: 0 };
  const openings = { count: 0, seconds: 0 };
  return {
    count: (outcome) => void (requests[outcome] += 1),
    opened(seconds) {
      openings.count += 1;
      openings.seconds += seconds;
    },
    text: ({ awake, isDraining }) =>
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
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
        '',
      ].join('\n'),
  };
}
