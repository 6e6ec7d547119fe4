import { expect, it } from 'vitest';
import { z } from 'zod';
import type { ChatMessage } from './chat.ts';
import { createHeldCalls, deliverResults } from './held-calls.ts';
import type { HeldResult } from './held-calls.ts';

const tools = [{ name: 'read', description: '', input: z.object({}) }];
const call = (id: string, input: unknown, toolName = 'read') => ({ id, toolName, input, isInvalid: false });
const result = (id: string, text: string, tool = 'read') => ({
  id,
  tool,
  kind: 'result' as const,
  text,
  images: [],
  structured: () => null,
});
const said = { text: 'Go on.', images: [] };

function answered() {
  const seen: Record<string, HeldResult> = {};
  return { seen, answer: (name: string) => (held: HeldResult) => void (seen[name] = held) };
}

it('answers a call by its id, whether the call or the result comes first', () => {
  const held = createHeldCalls();
  const { seen, answer } = answered();
  const calls = [call('a', {}), call('b', {})];
  held.hold({ id: 'b', tool: 'read', input: {}, answer: answer('b') });
  const messages: ChatMessage[] = [{ role: 'tool', results: [result('a', 'A'), result('b', 'B')] }];
  expect(deliverResults(held, messages, { calls, tools })).toEqual([]);
  held.hold({ id: 'a', tool: 'read', input: {}, answer: answer('a') });
  expect([seen['a']?.result.text, seen['b']?.result.text]).toEqual(['A', 'B']);
});

it('answers calls without an id by tool and input', () => {
  const held = createHeldCalls();
  const { seen, answer } = answered();
  for (const path of ['x', 'y'])
    held.hold({ id: undefined, tool: 'read', input: { path }, answer: answer(path) });
  const calls = [call('1', { path: 'y' }), call('2', { path: 'x' })];
  deliverResults(held, [{ role: 'tool', results: [result('1', 'Y'), result('2', 'X')] }], { calls, tools });
  expect([seen['x']?.result.text, seen['y']?.result.text]).toEqual(['X', 'Y']);
});

it('adds what the user says to the last result that is delivered, and returns it if there is none', () => {
  const held = createHeldCalls();
  const { seen, answer } = answered();
  const calls = [call('a', {}), call('b', {}, 'unknown')];
  held.hold({ id: 'a', tool: 'read', input: {}, answer: answer('a') });
  const user: ChatMessage = { role: 'user', content: [said] };
  const results = [result('a', 'A'), result('b', 'B', 'unknown')];
  expect(deliverResults(held, [{ role: 'tool', results }, user], { calls, tools })).toEqual([]);
  expect(seen['a']?.userContent).toEqual([said]);
  expect(deliverResults(held, [user], { calls: [], tools })).toEqual([said]);
});
