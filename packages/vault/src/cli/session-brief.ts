import { keepCompiled, readEnvironment } from '../app/index.ts';
import type { BriefAsked } from '../hook/index.ts';
import { processIo } from './process-io.ts';

/** For the hook at the start of a session. */
export async function sessionBrief(asked: BriefAsked): Promise<string | null> {
  const { variables, cwd, stderr } = processIo();
  const environment = readEnvironment(variables, cwd);
  keepCompiled(environment);
  const { briefFor } = await import('./brief.ts');
  const vault = asked.vault === null ? {} : { vault: asked.vault };
  return briefFor({ environment, stderr }, vault, asked);
}
