import { expect, it } from 'vitest';
import type { Update } from '../../app/index.ts';
import { formatReason, otherReason } from '../../contract/index.ts';
import { toUpdateStatus } from './update-status.ts';

const waiting: Update = {
  id: '3f2c91aa-0000',
  state: 'waiting',
  acceptedAt: 0,
  attempts: 0,
  reason: null,
  nextAttemptAt: null,
  result: null,
  decision: null,
  spent: null,
  input: { text: 'x', files: [], source: { kind: 'person', name: 'test' } },
};

it('the status of a waiting update tells a queue, a failed attempt and an unavailable model apart', () => {
  const text = (facts: Partial<Update>): string => toUpdateStatus({ ...waiting, ...facts }).text;
  const offline = formatReason('unreachable', { address: 'http://a', problem: 'ECONNREFUSED' });
  expect(text({})).toMatch(/^queued\. Check again later: /);
  expect(text({ attempts: 1, reason: otherReason('no'), nextAttemptAt: 1 })).toMatch(
    /^attempt failed: no; will be retried\./,
  );
  expect(text({ reason: offline, nextAttemptAt: 1 })).toMatch(
    /^waiting for the model: cannot reach http:\/\/a \(ECONNREFUSED\); it will be filed when the model is available\./,
  );
});
