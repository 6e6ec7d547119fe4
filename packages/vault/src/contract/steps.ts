import { z } from 'zod';
import type { KeepsakeEvent } from './events.ts';

/** One call of a tool by an agent. */
export const step = z.object({
  tool: z.string(),
  about: z.string().describe('What it is called for, in a few words'),
  state: z.enum(['running', 'done', 'failed']),
});

export type Step = z.infer<typeof step>;

/** The steps of a run after one more of its events. A run that starts over has done nothing yet. */
export function followSteps(steps: readonly Step[], event: KeepsakeEvent): readonly Step[] {
  if (event.type === 'update-started') return [];
  if (event.type === 'tool-called')
    return [...steps, { tool: event.tool, about: event.about, state: 'running' }];
  if (event.type !== 'tool-finished') return steps;
  const at = steps.findIndex(({ tool, state }) => tool === event.tool && state === 'running');
  const state = event.problem === null ? 'done' : 'failed';
  return steps.map((each, index) => (index === at ? { ...each, state } : each));
}
