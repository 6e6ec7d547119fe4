import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  describeKeySource,
  diagnose,
  findAvailableModels,
  getKeySource,
  openKeepsake,
  resolveAgentModel,
  resolveTranscriptionModel,
  storeApiKey,
} from '../../packages/vault/src/app/index.ts';
import type { Environment, Update } from '../../packages/vault/src/app/index.ts';
import { describeError } from '../../packages/vault/src/contract/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { anEntry, anInput } from '../agents/agent-vault.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { ScriptedModel, SeenRequest, Turn } from '../scripted-model/server.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { signInTest } from './signed-in.ts';
import type { SignInTest } from './signed-in.ts';

type PlanTest = SignInTest & {
  model: ScriptedModel;
  folder: string;
  state: string;
  /** Runs an update with these turns to its end, or until its first failure. */
  file: (...turns: Turn[]) => Promise<Update>;
};

/** Fields that the Responses API rejects with the token of a ChatGPT plan. */
const rejectedFields =
  'background conversation max_output_tokens max_tool_calls metadata moderation multi_agent prompt prompt_cache_retention safety_identifier temperature top_logprobs top_p truncation user previous_response_id'.split(
    ' ',
  );

/** Why the API would not accept this request with the token of a ChatGPT plan; null if it would. */
function findViolation({ body, isStreaming }: SeenRequest): string | null {
  if (body['store'] !== false || !isStreaming) return 'store or stream';
  const field = rejectedFields.find((name) => name in body);
  if (field !== undefined) return field;
  const input = body['input'] as { type?: string; role?: string }[];
  if (!Array.isArray(input) || input.some(({ role }) => role === 'system')) return 'a system message';
  if (input.some(({ type }) => type === 'item_reference')) return 'a reference to a stored item';
  const tools = body['tools'] as { type: string }[];
  return tools.every(({ type }) => type === 'namespace') ? null : 'a function outside of a namespace';
}

/** A vault whose model is behind the sign-in with ChatGPT. */
async function planTest(variables: NodeJS.ProcessEnv = {}): Promise<PlanTest> {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const test = await signInTest({ KEEPSAKE_MODEL: 'openai/gpt-5.5', ...variables }, model.baseUrl);
  const root = temporaryFolder();
  const [folder, state] = [join(root, 'vault'), join(root, 'state')];
  mkdirSync(folder);
  initVault(folder, { language: 'en', home: root, clock: Date.now });
  const turns: Turn[] = [];
  model.answerRepairs();
  model.respond((request) => {
    if (!test.service.accepts(request.headers.authorization))
      return { fault: 'status', status: 401, body: '{"detail":{"error_code":"invalid_token"}}' };
    const violation = findViolation(request);
    if (violation !== null) return { fault: 'status', status: 400, body: `{"detail":"${violation}"}` };
    return turns.shift() ?? { text: 'Done.' };
  });
  return {
    ...test,
    model,
    folder,
    state,
    async file(...script) {
      turns.push(...script);
      const keepsake = await openKeepsake({ vault: folder, state, environment: test.environment });
      const { updates } = keepsake.agents;
      const { id } = await keepsake.accept(anInput({ text: 'The lamp is broken.' }));
      const runner = updates.start(() => undefined);
      for (;;) {
        const update = updates.find(id);
        const isOver = update !== undefined && !['waiting', 'running'].includes(update.state);
        const hasFailed = update?.state === 'waiting' && update.reason !== null;
        if (isOver || hasFailed) {
          await runner.stop();
          await keepsake.close();
          return update;
        }
        await sleep(2);
      }
    },
  };
}

describe('an agent with a ChatGPT plan', () => {
  it('files an update through the Responses API with the access token', async () => {
    const { model, folder, account, signIn, file } = await planTest();
    await signIn();
    const update = await file({ calls: [{ tool: 'tree', input: {} }] }, anEntry('The lamp is broken'), {
      text: 'Noted the lamp.',
    });
    expect(update).toMatchObject({ state: 'done' });
    expect(readFileSync(join(folder, 'changelog.md'), 'utf8')).toContain('The lamp is broken');
    expect(model.requests.map(findViolation).filter((violation) => violation !== null)).toEqual([]);
    const authorization = `Bearer ${account().tokens?.accessToken ?? ''}`;
    expect(new Set(model.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set([authorization]),
    );
    expect(model.requests[0]?.path).toBe('/v1/responses');
    expect(model.requests[0]?.system).toContain('Keepsake');
    expect(model.requests[0]?.toolNames).toContain('append');
    // The call of the first step is sent back in the namespace in which it was made.
    const sentBack = model.requests[1]?.body['input'] as { type?: string; namespace?: string }[];
    expect(sentBack.find(({ type }) => type === 'function_call')).toMatchObject({ namespace: 'keepsake' });
    expect(model.requests[1]?.toolResults[0]).toMatchObject({ tool: 'tree' });
  });

  it('renews a token that the API rejects in the middle of an update', async () => {
    const { service, model, account, signIn, file } = await planTest();
    await signIn();
    const first = account().tokens?.accessToken;
    service.revokeAccessToken(first ?? '');
    expect(await file(anEntry('The lamp is broken'), { text: 'Noted.' })).toMatchObject({ state: 'done' });
    expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${first ?? ''}`);
    expect(model.requests[1]?.headers.authorization).toBe(`Bearer ${account().tokens?.accessToken ?? ''}`);
  });

  it('keeps the update and says to sign in again when the sign-in was revoked', async () => {
    const { service, signIn, file } = await planTest();
    await signIn();
    service.revokeAll();
    const update = await file();
    expect(update.state).not.toBe('done');
    expect(update.reason?.text).toContain('the sign-in with ChatGPT has ended');
    expect(JSON.stringify(update)).toContain('keepsake config login chatgpt');
  });

  it('names the limits of the plan when they are reached', async () => {
    const { model, signIn, file } = await planTest();
    await signIn();
    const body = '{"error":{"code":"subscription_sharing_usage_limit_exceeded","message":"limit"}}';
    model.respond(() => ({ fault: 'status', status: 429, body }));
    expect(JSON.stringify(await file())).toContain('https://chatgpt.com/settings/usage');
  });

  it('does not repeat the token in an error', async () => {
    const { model, account, signIn, file } = await planTest();
    await signIn();
    model.respond(({ headers }) => ({
      fault: 'status',
      status: 400,
      body: JSON.stringify({ error: { message: `you sent ${headers.authorization ?? ''}` } }),
    }));
    const update = JSON.stringify(await file());
    expect(update).toContain('you sent Bearer [key]');
    expect(update).not.toContain(account().tokens?.accessToken);
  });

  it('is shown by doctor with the models of the account', async () => {
    const { model, folder, state, environment, signIn } = await planTest();
    model.tell('/models', { models: [{ slug: 'gpt-5.5', context_window: 272_000, visibility: 'list' }] });
    await signIn();
    const find = async () =>
      (await diagnose({ vault: folder, state, environment })).find(({ name }) => name === 'agents');
    expect(await find()).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('key not needed: signed in with ChatGPT; it responds'),
    });
    model.tell('/models', { models: [{ slug: 'gpt-6', visibility: 'list' }] });
    expect(await find()).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('does not list this model; available: gpt-6'),
    });
  });
});

describe('the model openai/… after a sign-in with ChatGPT', () => {
  const resolve = (environment: Environment) => {
    const chosen = resolveAgentModel(environment);
    return 'missing' in chosen ? describeError(chosen.missing) : chosen.model.endpoint;
  };

  it('uses an API key instead if there is one', async () => {
    const { environment, signIn } = await planTest();
    await signIn();
    expect(getKeySource(environment, 'openai')).toBe('account');
    storeApiKey(environment, 'openai', 'sk-own');
    expect(resolve(environment)).toMatchObject({ baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-own' });
    expect(describeKeySource(environment, 'openai')).toMatch(/^from .*keys/);
  });

  it('never sends the token to another base URL', async () => {
    const { environment, signIn } = await planTest({ KEEPSAKE_MODEL_BASE_URL: 'http://127.0.0.1:9/v1' });
    await signIn();
    expect(resolve(environment)).toContain('no API key for openai');
  });

  it('is not used for recordings, which the plan does not cover', async () => {
    const { environment, signIn } = await planTest({ KEEPSAKE_TRANSCRIPTION: 'openai/whisper-1' });
    await signIn();
    expect(resolveTranscriptionModel(environment)).toHaveProperty('missing');
  });

  it('is offered when no model is chosen', async () => {
    const { environment, signIn } = await planTest({ KEEPSAKE_MODEL: '', PATH: '/usr/bin:/bin' });
    const offered = (at: Environment) => findAvailableModels(at, async () => []);
    expect(await offered(environment)).toEqual([]);
    await signIn();
    expect(await offered(environment)).toEqual([
      { arguments: 'openai/<name>', reason: 'signed in with ChatGPT' },
    ]);
    expect(resolve(environment)).toMatch(/keepsake config model openai\/<name>$/);
    expect(await offered({ ...environment, servesOthers: true })).toEqual([]);
  });

  it('fails only openai/ models if the stored sign-in cannot be read', async () => {
    const { environment, accountFile, signIn } = await planTest();
    await signIn();
    writeFileSync(accountFile, '{');
    expect(() => resolve(environment)).toThrow('is damaged');
    expect(getKeySource(environment, 'openai')).toBe('missing');
    expect(resolve({ ...environment, variable: () => undefined })).toContain('no model is configured');
  });

  it('is not available without a sign-in, nor in a server for other people', async () => {
    const { environment, signIn } = await planTest();
    expect(resolve(environment)).toBe(
      'no API key for openai; set OPENAI_API_KEY, or run: keepsake config key openai, or sign in with: keepsake config login chatgpt',
    );
    await signIn();
    expect(resolve({ ...environment, servesOthers: true })).toBe(
      'no API key for openai; set OPENAI_API_KEY, or run: keepsake config key openai',
    );
    expect(getKeySource({ ...environment, servesOthers: true }, 'openai')).toBe('missing');
  });
});
