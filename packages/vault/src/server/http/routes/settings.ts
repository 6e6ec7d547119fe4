import { createRoute } from '@hono/zod-openapi';
import {
  agentModelName,
  chooseModel,
  keySource,
  lookAtPatterns,
  parsePatterns,
  problemWith,
  readConfiguration,
  setConfigured,
  storeKey,
  tryChosenModel,
} from '../../../app/index.ts';
import { api, describeError } from '../../../contract/index.ts';
import { isUnprotected } from '../../../connect/index.ts';
import { parseModelName, providerNames, providers } from '../../../models/index.ts';
import { filePathsBelow } from '../../../vault/index.ts';
import { checkOwner, checkOwnMachine } from '../check-person.ts';
import { base, json, jsonBody } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const tags = ['settings'];
const request = { params: api.vaultParams };
const description = 'Only for the person: a token cannot.';

const showModel = createRoute({
  method: 'get',
  path: `${base}/model`,
  tags,
  summary: 'Which model agents use, and which providers there are',
  description,
  request,
  responses: { 200: json(api.modelSettings, 'Never a key') },
});
const putModel = createRoute({
  method: 'put',
  path: `${base}/model`,
  tags,
  summary: 'Choose the model that agents use, with its key',
  description: `${description} A key is taken on this machine or over TLS.`,
  request: { ...request, body: jsonBody(api.modelChoice) },
  responses: { 200: json(api.modelSettings, 'As it is now') },
});
const testModel = createRoute({
  method: 'post',
  path: `${base}/model/test`,
  tags,
  summary: 'Ask the chosen model a small question',
  description,
  request,
  responses: { 200: json(api.modelTrial, 'What it said') },
});
const showExclusions = createRoute({
  method: 'get',
  path: `${base}/exclusions`,
  tags,
  summary: 'What is kept from models, and how many files that are',
  description,
  request,
  responses: { 200: json(api.exclusions, 'Patterns') },
});
const putExclusions = createRoute({
  method: 'put',
  path: `${base}/exclusions`,
  tags,
  summary: 'Say what is kept from models',
  description,
  request: { ...request, body: jsonBody(api.exclusionsWanted) },
  responses: { 200: json(api.exclusions, 'As it is now') },
});

/** What is configured for this machine: the same as `keepsake config` shows and writes. */
export function settingsRoutes(app: HttpApp, parts: RouteParts): void {
  const { keepsake, environment } = parts;
  const shownModel = () => {
    const name = agentModelName(environment) ?? null;
    const { model, modelBaseUrl, prices } = readConfiguration(environment);
    const isConfigured = name === model;
    return {
      name,
      isFromEnvironment: environment.variable('KEEPSAKE_MODEL') !== undefined,
      url: isConfigured ? (modelBaseUrl ?? null) : null,
      prices: isConfigured && prices !== undefined ? { input: prices.input, output: prices.output } : null,
      providers: providerNames.map((provider) => ({
        name: provider,
        url: providers[provider].baseUrl,
        key: keySource(environment, provider),
      })),
    };
  };
  app.openapi(showModel, (c) => {
    checkOwner(c.get('caller'));
    return c.json(shownModel(), 200);
  });
  app.openapi(putModel, (c) => {
    checkOwner(c.get('caller'));
    checkOwnMachine(parts);
    const { name, url, key, prices } = c.req.valid('json');
    const provider = name === null ? undefined : parseModelName(name)?.provider;
    if (key !== undefined && isUnprotected(c.req.header('origin') ?? c.req.url))
      throw new Problem('refused', {
        detail: 'a key is not sent over a connection that others can read',
        next: 'open this page on the machine itself or over https, or run: keepsake config key',
      });
    chooseModel(environment, name, { modelBaseUrl: url, prices });
    if (key !== undefined && provider !== undefined) storeKey(environment, provider, key);
    return c.json(shownModel(), 200);
  });
  app.openapi(testModel, async (c) => {
    checkOwner(c.get('caller'));
    checkOwnMachine(parts);
    const { name, trial, cost } = await tryChosenModel(environment, c.req.raw.signal);
    const { reply, milliseconds, callsTools, blindBecause, usage } = trial;
    const tokens = usage.input + usage.output;
    return c.json({ name, reply, milliseconds, callsTools, blindBecause, tokens, cost }, 200);
  });

  const shownExclusions = async () => {
    const written = readConfiguration(environment).agents?.exclude ?? [];
    return { patterns: lookAtPatterns(written, filePathsBelow(await keepsake.contents())) };
  };
  app.openapi(showExclusions, async (c) => {
    checkOwner(c.get('caller'));
    return c.json(await shownExclusions(), 200);
  });
  app.openapi(putExclusions, async (c) => {
    checkOwner(c.get('caller'));
    checkOwnMachine(parts);
    const { patterns } = c.req.valid('json');
    const problem = problemWith(patterns);
    if (problem !== null) throw new Problem('refused', { detail: describeError(problem) });
    setConfigured(environment, { place: ['agents', 'exclude'], value: parsePatterns(patterns) });
    return c.json(await shownExclusions(), 200);
  });
}
