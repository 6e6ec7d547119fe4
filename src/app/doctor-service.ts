import { describeError } from '../contract/index.ts';
import { parseModelName } from '../models/index.ts';
import { chooseAgentModel, describeKey } from './agent-model.ts';
import { failedWith, ok } from './check.ts';
import type { Check } from './check.ts';
import type { Environment } from './environment.ts';
import { readExclusion } from './exclusion.ts';
import type { Keepsake } from './keepsake.ts';
import { findOwner } from './owner.ts';

/** What works around the files: the model, the queue, whoever serves the vault, and the index. */
export async function checkService(keepsake: Keepsake, environment: Environment): Promise<Check[]> {
  return [
    checkModel(environment),
    checkExclusion(environment),
    checkQueue(keepsake),
    checkOwner(keepsake),
    await checkIndex(keepsake),
  ];
}

function checkModel(environment: Environment): Check {
  const name = 'agents';
  try {
    const chosen = chooseAgentModel(environment);
    if (!('missing' in chosen)) {
      const provider = parseModelName(chosen.model.name)?.provider ?? 'openai-compatible';
      return ok(
        name,
        `${chosen.model.name} at ${chosen.model.endpoint.baseUrl}, key ${describeKey(environment, provider)}`,
      );
    }
    // Nothing is wrong without one.
    return ok(name, `${describeError(chosen.missing)} (everything but add and ask works without)`);
  } catch (error) {
    return failedWith(name, error);
  }
}

function checkExclusion(environment: Environment): Check {
  const name = 'kept from agents';
  try {
    return ok(name, readExclusion(environment) === null ? 'nothing' : 'as configured');
  } catch (error) {
    return failedWith(name, error);
  }
}

function checkQueue({ agents: { updates } }: Keepsake): Check {
  const name = 'updates';
  const parked = updates.list({ state: 'parked', limit: 100 });
  const waiting = updates.list({ state: 'waiting', limit: 100 });
  const message = `${waiting.length} waiting, ${parked.length} parked`;
  return parked.length === 0
    ? ok(name, message)
    : {
        name,
        status: 'warning',
        message: `${message}, the last because ${parked[0]?.reason ?? 'of something unknown'}`,
        mend: 'once that is mended: keepsake updates retry --all',
      };
}

function checkOwner({ state }: Keepsake): Check {
  const owner = findOwner(state.folder(), Date.now);
  return ok(
    'service',
    owner === null ? 'nobody serves this vault now' : `process ${owner.pid} at ${owner.url}`,
  );
}

async function checkIndex({ search }: Keepsake): Promise<Check> {
  const name = 'index';
  try {
    const { sections, files } = await search.withIndex(async ({ index }) => ({
      sections: index.sectionCount(),
      files: index.files().size,
    }));
    const message = `${sections} sections of ${files} files`;
    const vectors = await search.vectors();
    if (vectors === null) return ok(name, message);
    const withVectors = `${message}, ${vectors.sections - vectors.missing} with vectors`;
    if (vectors.problem === null) return ok(name, withVectors);
    return {
      name,
      status: 'warning',
      message: `${withVectors}, no more because ${vectors.problem}`,
      mend: 'once that is mended: keepsake index',
    };
  } catch (error) {
    return { name, status: 'warning', message: describeError(error), mend: 'keepsake index --rebuild' };
  }
}
