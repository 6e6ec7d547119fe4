import { z } from 'zod';
import type { KeepsakeEvent } from './events.ts';

/** A tool call of an agent. */
export const stepSchema = z.object({
  tool: z.string(),
  about: z.string().describe('Short description of the call'),
  state: z.enum(['running', 'done', 'failed']),
});

export type Step = z.infer<typeof stepSchema>;

/** Reduces an event into the steps of a run. A restarted run begins with no steps. */
export function reduceSteps(steps: readonly Step[], event: KeepsakeEvent): readonly Step[] {
  if (event.type === 'update-started') return [];
  if (event.type === 'tool-called')
    return [...steps, { tool: event.tool, about: event.about, state: 'running' }];
  if (event.type !== 'tool-finished') return steps;
  const at = steps.findIndex(({ tool, state }) => tool === event.tool && state === 'running');
  const state = event.problem === null ? 'done' : 'failed';
  return steps.map((each, index) => (index === at ? { ...each, state } : each));
}
