import { outputLanguage, resolveAgentModel } from '../app/index.ts';
import type { Environment, Keepsake } from '../app/index.ts';
import type { Brief } from '../hook/index.ts';
import { createBrief } from './brief.ts';
import type { BriefOptions } from './brief.ts';
import { listSessionsWithoutNote } from './recorded-session.ts';
import { countLostEvents } from './lost-events.ts';

type Request = Pick<
  BriefOptions,
  'project' | 'matchedKey' | 'repository' | 'linkOffer' | 'source' | 'now'
> & {
  /** The id of the session that starts, if it is known. */
  session: string | null;
};

/** The number of newest updates among which the last sessions are looked for. */
const maxUpdates = 30;

/** Creates the brief of an open vault. */
export function createVaultBrief(
  { root, restricted, agents }: Pick<Keepsake, 'root' | 'restricted' | 'agents'>,
  environment: Environment,
  { session, ...request }: Request,
): Promise<Brief | null> {
  const { stateHome } = environment;
  const language = outputLanguage(root, environment);
  const updates = agents.updates.list({ limit: maxUpdates });
  return createBrief(restricted, {
    ...request,
    language,
    lost: countLostEvents(environment, request.now),
    sessions: listSessionsWithoutNote({ stateHome, root, updates }, request, session),
    waitingUpdates: agents.clientRuns.count(),
    hasAgents: !('missing' in resolveAgentModel(environment)),
  });
}
