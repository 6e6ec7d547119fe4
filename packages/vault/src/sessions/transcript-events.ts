import { cleanTitle, toSessionEvent } from '../hook/index.ts';
import type { SessionEvent } from '../hook/index.ts';
import { idleTimeoutMs } from './drain.ts';
import type { SessionRecord } from './session-records.ts';
import { isWorthKeeping } from './transcript.ts';
import type { Transcript, TranscriptClient, Turn } from './transcripts/transcript.ts';

/** Where the events of a transcript belong. */
export type EventScope = Pick<SessionEvent, 'vault' | 'folder' | 'remote' | 'repository' | 'project'>;

/** The events that hooks would have recorded during the session: without secrets and shortened. */
export function toEvents(
  client: TranscriptClient,
  { session, turns, branch, title }: Pick<Transcript, 'session' | 'turns' | 'branch' | 'title'>,
  { folder, ...scope }: EventScope,
): SessionEvent[] {
  const place = { ...scope, branch };
  const events = turns.flatMap(({ event, id, at, text }) => {
    const payload = { ...toPayload(event, text), prompt_id: id };
    return toSessionEvent(event, { client, session, folder, source: null, payload }, place, at) ?? [];
  });
  const unique = [...new Map(events.map((event) => [event.key, event])).values()];
  const name = cleanTitle(title);
  // Hooks learn the title at the end of the session.
  return name === null
    ? unique
    : unique.map((event, at) => (at < unique.length - 1 ? event : { ...event, title: name }));
}

function toPayload(event: Turn['event'], text: string): Record<string, string> {
  const name = { prompt: 'prompt', turn: 'last_assistant_message', 'post-compact': 'compact_summary' }[event];
  return { [name]: text };
}

/**
 * The events after the part that is in the vault already. Clients without ids are compared by time. An answer that went
 * on after that part has the same key, but is later.
 */
export function selectNewEvents(
  events: readonly SessionEvent[],
  record: Pick<SessionRecord, 'lastTurn' | 'at'> | null,
): SessionEvent[] {
  if (record === null) return [...events];
  const last = events.findLastIndex(({ key }) => key === record.lastTurn);
  const found = events[last];
  if (found === undefined) return events.filter(({ at }) => at > record.at);
  const wentOn = found.event === 'turn' && found.at > record.at;
  return events.slice(wentOn ? last : last + 1);
}

/** Whether the new events of a session are worth a note. The rest of an answer is, without the prompt in an earlier part. */
export function isWorthImporting(
  events: readonly SessionEvent[],
  record: Pick<SessionRecord, 'at'> | null,
): boolean {
  return isWorthKeeping(events, record !== null && events[0]?.event === 'turn');
}

/** Divides a session as live capture does: at compactions and after half an hour without events. */
export function splitSegments(events: readonly SessionEvent[]): SessionEvent[][] {
  const segments: SessionEvent[][] = [];
  for (const [index, event] of events.entries()) {
    const before = events[index - 1];
    const isFirst =
      before === undefined || before.event === 'post-compact' || event.at - before.at > idleTimeoutMs;
    if (isFirst) segments.push([event]);
    else segments.at(-1)?.push(event);
  }
  return segments;
}

export function countWords(events: readonly SessionEvent[]): number {
  return events.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
}
