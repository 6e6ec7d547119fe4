import { enableCompileCache, readEnvironment } from '../app/index.ts';
import type { Brief, BriefRequest } from '../hook/index.ts';
import { processIo } from './process-io.ts';

/** Creates the brief for the hook at the start of a session; null when there is none. */
export async function createSessionBrief(request: BriefRequest): Promise<Brief | null> {
  const { variables, cwd, stderr } = processIo();
  const environment = readEnvironment(variables, cwd);
  enableCompileCache(environment);
  const { createBriefForFolder } = await import('./brief.ts');
  const vault = request.vault === null ? {} : { vault: request.vault };
  return createBriefForFolder({ environment, stderr }, vault, request);
}
