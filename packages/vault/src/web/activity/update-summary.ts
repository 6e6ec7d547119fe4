import type { UpdateRecord } from '../api/updates-api.ts';
import type { Text } from '../text/en.ts';
import { translateReason } from '../text/translate-reason.ts';
import type { Tone } from '../ui/badge.tsx';

export type UpdateSummary = { label: string; tone: Tone; summary: string; isFinished: boolean };

/** Summarizes the state of an update as a short label and a sentence. */
export function summarizeUpdate(update: UpdateRecord, text: Text): UpdateSummary {
  const { states } = text.activity;
  const first = update.input.text.trim().split('\n')[0] ?? '';
  const summary = first === '' ? update.input.files.map(({ name }) => name).join(', ') : first;
  switch (update.state) {
    case 'waiting':
      return {
        label: states.waiting,
        tone: 'neutral',
        summary: summary || text.run.accepted,
        isFinished: false,
      };
    case 'running':
      return { label: states.running, tone: 'accent', summary, isFinished: false };
    case 'parked':
      return {
        label: states.parked,
        tone: 'danger',
        summary: update.reason === null ? summary : translateReason(update.reason, text),
        isFinished: true,
      };
    case 'cancelled':
      return { label: states.cancelled, tone: 'neutral', summary, isFinished: true };
    case 'done':
      break;
  }
  const { result, decision } = update;
  if (result === null) return { label: states.done, tone: 'good', summary, isFinished: true };
  if (result.kind === 'unchanged')
    return { label: states.unchanged, tone: 'neutral', summary: result.summary, isFinished: true };
  if (result.kind === 'filed')
    return { label: states.filed, tone: 'good', summary: result.summary, isFinished: true };
  const label = decision === null ? states.held : states[decision];
  const tone = decision === null ? 'warn' : decision === 'approved' ? 'good' : 'neutral';
  return { label, tone, summary: result.summary, isFinished: true };
}
