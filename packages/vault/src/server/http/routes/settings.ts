import { createRoute } from '@hono/zod-openapi';
import {
  configuredModelName,
  setAgentModel,
  getKeySource,
  inspectPatterns,
  isAddressOfKey,
  parsePatterns,
  validatePatterns,
  readConfiguration,
  writeConfiguration,
  storeApiKey,
  testConfiguredModel,
} from '../../../app/index.ts';
import { api, describeError } from '../../../contract/index.ts';
import { isPlaintextUrl } from '../../../connect/index.ts';
import { findInstalledTool, parseModelName, providers, remoteProviderNames } from '../../../models/index.ts';
import { walkFilePaths } from '../../../vault/index.ts';
import { isOperator, requireOperator, requireOwner } from '../authorize.ts';
import { vaultBasePath, jsonContent, jsonBody } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const tags = ['settings'];
const request = { params: api.vaultParams };
const description = 'For owners only, not for tokens.';
const forOperator = 'For the operator of the machine only, because it applies to all of its vaults.';

const showModel = createRoute({
  method: 'get',
  path: `${vaultBasePath}/model`,
  tags,
  summary: 'Get the model of the agents and the available providers',
  description,
  request,
  responses: { 200: jsonContent(api.modelSettings, 'The settings, without keys') },
});
const putModel = createRoute({
  method: 'put',
  path: `${vaultBasePath}/model`,
  tags,
  summary: 'Set the model of the agents and its API key',
  description: `${forOperator} Keys are accepted only on this machine or over TLS. A key that the server has is sent to a new address only if it is sent again with it.`,
  request: { ...request, body: jsonBody(api.modelSettingsUpdate) },
  responses: { 200: jsonContent(api.modelSettings, 'The new settings') },
});
const testModel = createRoute({
  method: 'post',
  path: `${vaultBasePath}/model/test`,
  tags,
  summary: 'Send a test question to the configured model',
  description: forOperator,
  request,
  responses: { 200: jsonContent(api.modelTestResult, 'The reply') },
});
const showExclusions = createRoute({
  method: 'get',
  path: `${vaultBasePath}/exclusions`,
  tags,
  summary: 'List exclusion patterns with file counts',
  description: `${description} Invited owners see the patterns that match files of their vault.`,
  request,
  responses: { 200: jsonContent(api.exclusions, 'Patterns') },
});
const putExclusions = createRoute({
  method: 'put',
  path: `${vaultBasePath}/exclusions`,
  tags,
  summary: 'Set exclusion patterns',
  description: forOperator,
  request: { ...request, body: jsonBody(api.exclusionsUpdate) },
  responses: { 200: jsonContent(api.exclusions, 'The new settings') },
});

/** The configuration of this machine, the same that `keepsake config` shows and writes. */
export function settingsRoutes(app: HttpApp, parts: RouteContext): void {
  const { keepsake, environment } = parts;
  const shownModel = () => {
    const name = configuredModelName(environment) ?? null;
    const { model, modelBaseUrl, prices } = readConfiguration(environment);
    const isConfigured = name === model;
    return {
      name,
      isFromEnvironment: environment.variable('KEEPSAKE_MODEL') !== undefined,
      url: isConfigured ? (modelBaseUrl ?? null) : null,
      prices: isConfigured && prices !== undefined ? { input: prices.input, output: prices.output } : null,
      providers: remoteProviderNames.map((provider) => ({
        name: provider,
        url: providers[provider].baseUrl,
        key: getKeySource(environment, provider),
      })),
    };
  };
  app.openapi(showModel, (c) => {
    requireOwner(c.get('caller'));
    return c.json(shownModel(), 200);
  });
  app.openapi(putModel, (c) => {
    requireOperator(c.get('caller'), parts);
    const { name, url, key, prices } = c.req.valid('json');
    const provider = name === null ? undefined : parseModelName(name)?.provider;
    if (key !== undefined && isPlaintextUrl(c.req.header('origin') ?? c.req.url))
      throw new Problem('refused', {
        detail: 'API keys are only accepted over HTTPS or on this machine',
        hint: 'open this page on the machine itself or over HTTPS, or run: keepsake config key',
      });
    if (provider !== undefined && findInstalledTool(provider) !== null)
      throw new Problem('refused', {
        detail: `${provider} is chosen on the command line, which shows the terms of its vendor first`,
        hint: `run: keepsake config model ${name}`,
      });
    if (provider !== undefined && !isAddressOfKey(environment, provider, url)) {
      const source = getKeySource(environment, provider);
      // A key of the environment has precedence over one that is entered.
      if (source === 'variable' || (source === 'file' && key === undefined))
        throw new Problem('refused', {
          detail: `the key that the server has for ${provider} is not sent to a new address`,
          hint: `${source === 'file' ? 'enter the key again, or ' : ''}run on the server: keepsake config model ${name} --url ${url}`,
        });
    }
    setAgentModel(environment, name, { modelBaseUrl: url, prices });
    if (key !== undefined && provider !== undefined) storeApiKey(environment, provider, key);
    return c.json(shownModel(), 200);
  });
  app.openapi(testModel, async (c) => {
    requireOperator(c.get('caller'), parts);
    const { name, trial, cost } = await testConfiguredModel(environment, c.req.raw.signal);
    const { reply, milliseconds, callsTools, blindBecause, usage } = trial;
    const tokens = usage.input + usage.output;
    return c.json({ name, reply, milliseconds, callsTools, blindBecause, tokens, cost }, 200);
  });

  const shownExclusions = async () => {
    const written = readConfiguration(environment).agents?.exclude ?? [];
    return { patterns: inspectPatterns(written, walkFilePaths(await keepsake.contents())) };
  };
  app.openapi(showExclusions, async (c) => {
    requireOwner(c.get('caller'));
    const { patterns } = await shownExclusions();
    // Patterns without a file may be about other vaults.
    const shown = patterns.filter(({ files }) => isOperator(c.get('caller')) || Boolean(files));
    return c.json({ patterns: shown }, 200);
  });
  app.openapi(putExclusions, async (c) => {
    requireOperator(c.get('caller'), parts);
    const { patterns } = c.req.valid('json');
    const problem = validatePatterns(patterns);
    if (problem !== null) throw new Problem('refused', { detail: describeError(problem) });
    writeConfiguration(environment, { place: ['agents', 'exclude'], value: parsePatterns(patterns) });
    return c.json(await shownExclusions(), 200);
  });
}
