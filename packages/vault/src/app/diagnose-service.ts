import { describeError, formatLocalTime } from '../contract/index.ts';
import { ModelError, parseModelName } from '../models/index.ts';
import type { RemoteChatModel } from '../models/index.ts';
import {
  childPath,
  formatBytes,
  formatPath,
  maxTextBytes,
  pluralize,
  walkFilePaths,
  walkFiles,
} from '../vault/index.ts';
import { configuredModelName, resolveAgentModel, describeKeySource } from './agent-model.ts';
import { failedCheck, passed } from './check.ts';
import type { HealthCheck } from './check.ts';
import { readConfiguration } from './configuration.ts';
import type { DatabaseName } from './database-files.ts';
import type { Environment } from './environment.ts';
import { countExcluded, parseExclusion, parsePatterns } from './exclusion.ts';
import { findUnrecorded } from './find-unrecorded.ts';
import type { Keepsake } from './keepsake.ts';
import { describeRetention } from './retention-settings.ts';
import { findOwnerProcess } from './owner.ts';

/** Checks the model, the hidden files, the queue, the serving process, sync and the index. */
export async function checkService(
  keepsake: Keepsake,
  environment: Environment,
  damaged: ReadonlySet<DatabaseName>,
): Promise<HealthCheck[]> {
  return [
    await checkModel(environment),
    await checkExclusion(keepsake, environment),
    checkQueue(keepsake, environment),
    checkOwner(keepsake),
    // Opening a damaged database would replace it.
    ...(damaged.has('sync') ? [] : await checkSync(keepsake)),
    ...(damaged.has('index') ? [] : [await checkIndex(keepsake)]),
  ];
}

async function checkModel(environment: Environment): Promise<HealthCheck> {
  const name = 'agents';
  try {
    const chosen = resolveAgentModel(environment);
    if (!('missing' in chosen)) return await checkModelEndpoint(name, chosen.model, environment);
    if (configuredModelName(environment) !== undefined) return failedCheck(name, chosen.missing);
    // Having no model configured is not a problem.
    return passed(name, `${describeError(chosen.missing)} (only add and ask need a model)`);
  } catch (error) {
    return failedCheck(name, error);
  }
}

/** Longer than any reachable server takes to answer. */
const modelProbeTimeoutMs = 5_000;

/** Looks the model up at its provider, which tests URL and key without generating any tokens. */
async function checkModelEndpoint(
  name: string,
  model: RemoteChatModel,
  environment: Environment,
): Promise<HealthCheck> {
  const provider = parseModelName(model.name)?.provider ?? 'openai-compatible';
  const described = `${model.name} at ${model.endpoint.baseUrl}, key ${describeKeySource(environment, provider)}`;
  try {
    const { others, status } = await model.fetchInfo(AbortSignal.timeout(modelProbeTimeoutMs));
    const tested = 'test it with one question: keepsake config model';
    if (status !== undefined)
      return passed(name, `${model.name} by ${model.endpoint.baseUrl}: ${status}; ${tested}`);
    if (others === null) return passed(name, `${described}; it responds; ${tested}`);
    const instead = others.length > maxListedItems ? '' : `; available: ${others.join(', ')}`;
    return {
      name,
      status: 'warning',
      message: `${described}; the server responds but does not list this model${instead}`,
      hint: 'test it with: keepsake config model',
    };
  } catch (error) {
    const code = error instanceof ModelError ? error.code : null;
    // An unreachable server is only a warning. So is a rejection by an OpenAI-compatible server, because not all of
    // them list their models.
    const isSure =
      code === 'rejected' || code === 'bad-answer'
        ? provider !== 'openai-compatible'
        : code !== 'unreachable' && code !== 'unavailable';
    const { message, hint } = failedCheck(name, error);
    return { name, status: isSure ? 'failed' : 'warning', message: `${model.name}: ${message}`, hint };
  }
}

const maxListedItems = 10;

async function checkExclusion(keepsake: Keepsake, environment: Environment): Promise<HealthCheck> {
  const name = 'hidden files';
  try {
    const patterns = parsePatterns(readConfiguration(environment).agents?.exclude ?? []);
    if (patterns.length === 0) return passed(name, 'none');
    parseExclusion(patterns);
    const counted = countExcluded(patterns, walkFilePaths(await keepsake.contents()));
    const message = counted
      .map(({ pattern, files }) => `${pattern} (${pluralize(files, 'file')})`)
      .join(', ');
    if (counted.every(({ files }) => files > 0)) return passed(name, message);
    return {
      name,
      status: 'warning',
      message: `${message}: a pattern matches no file`,
      hint: 'check its spelling: keepsake config exclude',
    };
  } catch (error) {
    return failedCheck(name, error);
  }
}

function checkQueue({ agents: { updates } }: Keepsake, environment: Environment): HealthCheck {
  const name = 'updates';
  const parked = updates.list({ state: 'parked', limit: 100 });
  const waiting = updates.list({ state: 'waiting', limit: 100 });
  const { queue } = readConfiguration(environment).retention ?? {};
  const message = `${waiting.length} waiting, ${parked.length} parked; ${formatBytes(updates.size())}, ${describeRetention(queue)}`;
  return parked.length === 0
    ? passed(name, message)
    : {
        name,
        status: 'warning',
        message: `${message} (last: ${parked[0]?.reason?.text ?? 'unknown reason'})`,
        hint: 'fix the cause, then run: keepsake updates retry --all',
      };
}

function checkOwner({ state }: Keepsake): HealthCheck {
  const owner = findOwnerProcess(state.folder(), Date.now);
  return passed('service', owner === null ? 'not running' : `process ${owner.pid} at ${owner.url}`);
}

/** Returns no check for a vault that is not synced. */
async function checkSync(keepsake: Keepsake): Promise<HealthCheck[]> {
  const found = await keepsake.sync.status();
  if (found === null) return [];
  const { remote, isWatched, at, problem, leftOut } = found;
  const last = at === null ? 'never synced' : `last synced ${formatLocalTime(at)}`;
  const message = `${remote}, ${isWatched ? 'automatic (keepsake serve)' : 'manual'}, ${last}`;
  if (problem !== null)
    return [
      {
        name: 'sync',
        status: 'warning',
        message: `${message}; last error: ${problem}`,
        hint: 'fix the cause, then run: keepsake sync',
      },
    ];
  const present = await withHistory(keepsake, leftOut);
  if (present.length === 0) return [passed('sync', message)];
  const more = present.length > maxListedItems ? [`and ${present.length - maxListedItems} more`] : [];
  return [
    {
      name: 'sync',
      status: 'warning',
      message: [
        message,
        `files that stay on this machine: ${present.length}`,
        ...present.slice(0, maxListedItems),
        ...more,
      ].join('\n'),
      hint: 'rename them or make them smaller, or copy them yourself; keepsake backup contains them',
    },
  ];
}

/** The files that the last sync left out and that still exist, with the reason, and whether history has them. */
async function withHistory(
  keepsake: Keepsake,
  leftOut: readonly { path: string; reason: string }[],
): Promise<string[]> {
  const files = new Map(
    [...walkFiles(await keepsake.contents())].map(({ folder, name, entry }) => {
      const path = childPath(folder, name);
      return [formatPath(path), { path, size: entry.size }] as const;
    }),
  );
  const present = leftOut.flatMap(({ path, reason }) => {
    const file = files.get(path);
    return file === undefined ? [] : [{ ...file, reason }];
  });
  const recordable = present.filter(({ size }) => size <= maxTextBytes).map(({ path }) => path);
  const missing = await findUnrecorded(keepsake, recordable);
  return present.map(({ path, size, reason }) => {
    const isRecorded = size <= maxTextBytes && !missing.includes(path);
    return `${formatPath(path)}: ${reason}; ${isRecorded ? 'history has it' : 'history does not have it either'}`;
  });
}

async function checkIndex({ search }: Keepsake): Promise<HealthCheck> {
  const name = 'index';
  try {
    const { sections, files } = await search.withIndex(async ({ index }) => index.counts());
    const message = `${pluralize(files, 'file')} can be searched (${pluralize(sections, 'passage')})`;
    const vectors = await search.vectors();
    if (vectors === null) return passed(name, message);
    const withVectors = `${message}, ${vectors.sections - vectors.missing} with vectors`;
    if (vectors.problem === null) return passed(name, withVectors);
    return {
      name,
      status: 'warning',
      message: `${withVectors}; the rest failed: ${vectors.problem}`,
      hint: 'fix the cause, then run: keepsake index',
    };
  } catch (error) {
    return { name, status: 'warning', message: describeError(error), hint: 'run: keepsake index --rebuild' };
  }
}
