import { describeError, localTime } from '../contract/index.ts';
import { ModelError, parseModelName } from '../models/index.ts';
import type { RemoteChatModel } from '../models/index.ts';
import { count, filePathsBelow } from '../vault/index.ts';
import { agentModelName, chooseAgentModel, describeKey } from './agent-model.ts';
import { failedWith, ok } from './check.ts';
import type { Check } from './check.ts';
import { readConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { countExcluded, parseExclusion, parsePatterns } from './exclusion.ts';
import type { Keepsake } from './keepsake.ts';
import { findOwner } from './owner.ts';

/** What works around the files: the model, the queue, whoever serves the vault, and the index. */
export async function checkService(keepsake: Keepsake, environment: Environment): Promise<Check[]> {
  return [
    await checkModel(environment),
    await checkExclusion(keepsake, environment),
    checkQueue(keepsake),
    checkOwner(keepsake),
    ...(await checkSync(keepsake)),
    await checkIndex(keepsake),
  ];
}

async function checkModel(environment: Environment): Promise<Check> {
  const name = 'agents';
  try {
    const chosen = chooseAgentModel(environment);
    if (!('missing' in chosen)) return await checkChosen(name, chosen.model, environment);
    if (agentModelName(environment) !== undefined) return failedWith(name, chosen.missing);
    // Nothing is wrong without one.
    return ok(name, `${describeError(chosen.missing)} (everything but add and ask works without)`);
  } catch (error) {
    return failedWith(name, error);
  }
}

/** Longer than any server takes that is there. */
const patience = 5_000;

/** Asks what the provider knows about the model: that needs the address and the key, generates nothing and costs nothing. */
async function checkChosen(name: string, model: RemoteChatModel, environment: Environment): Promise<Check> {
  const provider = parseModelName(model.name)?.provider ?? 'openai-compatible';
  const described = `${model.name} at ${model.endpoint.baseUrl}, key ${describeKey(environment, provider)}`;
  try {
    const { others } = await model.lookUp(AbortSignal.timeout(patience));
    if (others === null) return ok(name, `${described}; it answers`);
    const instead = others.length > mostNamed ? '' : `; it has ${others.join(', ')}`;
    return {
      name,
      status: 'warning',
      message: `${described}; the server answers, but does not list this model${instead}`,
      mend: 'try it with: keepsake config model',
    };
  } catch (error) {
    const code = error instanceof ModelError ? error.code : null;
    // Nothing is wrong here without a network, or while a server is down. And not every compatible server lists its models.
    const isSure =
      code === 'rejected' || code === 'bad-answer'
        ? provider !== 'openai-compatible'
        : code !== 'unreachable' && code !== 'unavailable';
    const { message, mend } = failedWith(name, error);
    return { name, status: isSure ? 'failed' : 'warning', message: `${model.name}: ${message}`, mend };
  }
}

const mostNamed = 10;

async function checkExclusion(keepsake: Keepsake, environment: Environment): Promise<Check> {
  const name = 'kept from agents';
  try {
    const patterns = parsePatterns(readConfiguration(environment).agents?.exclude ?? []);
    if (patterns.length === 0) return ok(name, 'nothing');
    parseExclusion(patterns);
    const counted = countExcluded(patterns, filePathsBelow(await keepsake.contents()));
    const message = counted.map(({ pattern, files }) => `${pattern} (${count(files, 'file')})`).join(', ');
    if (counted.every(({ files }) => files > 0)) return ok(name, message);
    return {
      name,
      status: 'warning',
      message: `${message}: a pattern without a file hides nothing at present`,
      mend: 'look whether it is written as meant: keepsake config exclude',
    };
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
        message: `${message}, the last because ${parked[0]?.reason?.text ?? 'of something unknown'}`,
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

/** Nothing is said of a vault that is synced with no repository. */
async function checkSync({ sync }: Keepsake): Promise<Check[]> {
  const found = await sync.look();
  if (found === null) return [];
  const { remote, isWatched, at, problem } = found;
  const last = at === null ? 'never yet' : `last at ${localTime(at)}`;
  const message = `with ${remote}, ${isWatched ? 'by keepsake serve' : 'by hand'}, ${last}`;
  if (problem === null) return [ok('sync', message)];
  return [
    {
      name: 'sync',
      status: 'warning',
      message: `${message}; since then: ${problem}`,
      mend: 'once that is mended: keepsake sync',
    },
  ];
}

async function checkIndex({ search }: Keepsake): Promise<Check> {
  const name = 'index';
  try {
    const { sections, files } = await search.withIndex(async ({ index }) => index.counts());
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
