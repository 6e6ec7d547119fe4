import type { UpdateRecord } from '../api/updates-api.ts';
import type { Text } from '../text/en.ts';
import { sayReason } from '../text/say-reason.ts';
import type { Tone } from '../ui/badge.tsx';

export type Outcome = { label: string; tone: Tone; summary: string; isOver: boolean };

/** Where an update stands, in a word and a sentence. */
export function outcomeOf(update: UpdateRecord, text: Text): Outcome {
  const { states } = text.activity;
  const first = update.input.text.trim().split('\n')[0] ?? '';
  const summary = first === '' ? update.input.files.map(({ name }) => name).join(', ') : first;
  switch (update.state) {
    case 'waiting':
      return { label: states.waiting, tone: 'neutral', summary: summary || text.run.accepted, isOver: false };
    case 'running':
      return { label: states.running, tone: 'accent', summary, isOver: false };
    case 'parked':
      return {
        label: states.parked,
        tone: 'danger',
        summary: update.reason === null ? summary : sayReason(update.reason, text),
        isOver: true,
      };
    case 'cancelled':
      return { label: states.cancelled, tone: 'neutral', summary, isOver: true };
    case 'done':
      break;
  }
  const { result, decision } = update;
  if (result === null) return { label: states.done, tone: 'good', summary, isOver: true };
  if (result.kind === 'unchanged')
    return { label: states.unchanged, tone: 'neutral', summary: result.summary, isOver: true };
  if (result.kind === 'filed')
    return { label: states.filed, tone: 'good', summary: result.summary, isOver: true };
  const label = decision === null ? states.held : states[decision];
  const tone = decision === null ? 'warn' : decision === 'approved' ? 'good' : 'neutral';
  return { label, tone, summary: result.summary, isOver: true };
}
