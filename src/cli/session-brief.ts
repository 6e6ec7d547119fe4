import { keepCompiled, readEnvironment } from '../app/index.ts';
import type { BriefAsked } from '../hook/index.ts';

/** For the hook at the start of a session. */
export async function sessionBrief(asked: BriefAsked): Promise<string | null> {
  keepCompiled(readEnvironment());
  const { briefFor } = await import('./brief.ts');
  return briefFor(asked.vault === null ? {} : { vault: asked.vault }, asked);
}
