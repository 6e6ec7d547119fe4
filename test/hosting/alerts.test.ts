import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createNodeMetrics } from '../../packages/service/src/hosting/node-metrics.ts';

const file = 'packages/service/chart/alerts.yaml';
type Rule = {
  alert: string;
  expr: string;
  labels: object;
  annotations: { summary: string; description: string };
};
const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

it('the alert rules use only metrics that a node has, and say what to do', () => {
  const rendered = createNodeMetrics().render({ awake: 0, isDraining: false, workers: [], replacements: 0 });
  const declared = new Set(
    [...rendered.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'summary' ? [`${name}_sum`, `${name}_count`] : [name],
    ),
  );
  expect(rules.length).toBeGreaterThan(4);
  for (const { alert, expr, labels, annotations } of rules) {
    const used = expr.match(/\bkeepsake_\w+/g) ?? [];
    expect(used.filter((name) => !declared.has(name))).toEqual([]);
    expect(used.length > 0 || expr.includes('up{')).toBe(true);
    expect(alert).toMatch(/^Keepsake\w+$/);
    expect(labels).toEqual({ severity: expect.stringMatching(/^(warning|critical)$/) });
    expect([annotations.summary.length > 10, annotations.description.length > 30]).toEqual([true, true]);
  }
});

const promtool = process.env['PROMTOOL'] ?? 'promtool';
it.skipIf(spawnSync(promtool, ['--version']).status !== 0)('promtool accepts the alert rules', () => {
  const { status, stdout, stderr } = spawnSync(promtool, ['check', 'rules', file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`);
});
