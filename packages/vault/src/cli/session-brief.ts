import { AppError, enableCompileCache, readEnvironment } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import type { Brief, BriefRequest } from '../hook/index.ts';
import type { Io } from './io.ts';
import { processIo } from './process-io.ts';
import { renewOwnLauncher } from './start.ts';

/** Creates the brief for the hook at the start of a session; null when there is none. */
export async function createSessionBrief(
  request: BriefRequest,
  { variables, cwd, stderr, script }: Pick<Io, 'variables' | 'cwd' | 'stderr' | 'script'> = processIo(),
): Promise<Brief | null> {
  const environment = readEnvironment(variables, cwd);
  enableCompileCache(environment);
  renewOwnLauncher(environment, script);
  const { createBriefForFolder } = await import('./brief.ts');
  const vault = request.vault === null ? {} : { vault: request.vault };
  try {
    return await createBriefForFolder({ environment, stderr }, vault, request);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'vault-gone') throw error;
    const text = `Keepsake, the user's memory, is not available in this session: ${describeError(error)}. The user can repair it.`;
    return { text, message: `Keepsake: ${describeError(error)}` };
  }
}
