import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  resolveTranscriptionModel,
  readEnvironment,
  createConfiguredTranscriber,
} from '../../packages/vault/src/app/index.ts';
import type { Environment } from '../../packages/vault/src/app/index.ts';
import { describeError } from '../../packages/vault/src/contract/index.ts';
import { ModelError } from '../../packages/vault/src/models/index.ts';
import { runCommand } from '../run-command.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { ScriptedModel, Turn } from '../scripted-model/server.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';

const key = 'sk-canary-4f9d1c7be2a05';
const header = `authorization: Bearer ${key}`;
const soon = { 'retry-after-ms': '1' };
const memo = { bytes: new Uint8Array(1234), name: 'memo of the call.m4a', mediaType: 'audio/mp4' };
const patient = new AbortController().signal;

function environmentWith(variables: Record<string, string>, configuration = ''): Environment {
  const folder = temporaryFolder();
  layOut(folder, { 'keepsake/config.yaml': configuration });
  return readEnvironment({ XDG_CONFIG_HOME: folder, ...variables });
}

type Listening = {
  server: ScriptedModel;
  transcribe: NonNullable<ReturnType<typeof createConfiguredTranscriber>>;
};

/** A configured model whose server is the scripted one. */
async function listening(model = 'openai-compatible/whisper'): Promise<Listening> {
  const server = await startScriptedModel();
  onTestFinished(() => server.close());
  const transcribe = createConfiguredTranscriber(
    environmentWith(
      { KEEPSAKE_TRANSCRIPTION_API_KEY: key },
      `transcription: ${model}\ntranscriptionBaseUrl: ${server.baseUrl}\n`,
    ),
  );
  return { server, transcribe: transcribe ?? expect.fail('none is configured') };
}

describe.each(['openai/whisper-1', 'mistral/voxtral', 'openai-compatible/whisper'])('%s', (model) => {
  it('transcribes a recording at the configured URL, which receives only the recording', async () => {
    // Environment variables that the packages would read themselves must not matter.
    for (const name of ['OPENAI', 'MISTRAL']) {
      vi.stubEnv(`${name}_API_KEY`, 'from-the-environment');
      vi.stubEnv(`${name}_BASE_URL`, 'http://127.0.0.1:1');
    }
    onTestFinished(() => void vi.unstubAllEnvs());
    const { server, transcribe } = await listening(model);
    server.script({ text: ' On se voit lundi à 10 h. \n' });
    expect(await transcribe(memo, patient)).toEqual({ text: 'On se voit lundi à 10 h.', warnings: [] });
    const [request] = server.requests;
    expect(request).toMatchObject({
      path: '/v1/audio/transcriptions',
      body: { model: model.split('/')[1] },
      recording: { name: 'audio.m4a', mediaType: 'audio/mp4', bytes: 1234 },
      headers: { authorization: `Bearer ${key}` },
    });
    expect(inspect(request)).not.toContain('from-the-environment');
    expect(request?.rawBody).not.toContain('memo of the call');
  });

  it('is called again if the server was busy', async () => {
    const { server, transcribe } = await listening(model);
    server.script({ fault: 'status', status: 429, headers: soon }, { text: 'Now' });
    expect(await transcribe(memo, patient)).toMatchObject({ text: 'Now' });
    expect(server.requests.length).toBe(2);
  });
});

it("a Google transcription model is called with Google's protocol", async () => {
  const { server, transcribe } = await listening('google/gemini');
  await expect(transcribe(memo, patient)).rejects.toThrow(
    new RegExp(`^${server.baseUrl} returned HTTP 404 .*no such path: POST /v1/interactions`),
  );
});

describe('a transcription error', () => {
  const body = JSON.stringify({ error: { message: `wrong: ${key}; you sent ${header}`, type: 'x' } });
  it.each<[string, Turn, string]>([
    ['a 401', { fault: 'status', status: 401, body }, 'check the API key and its permissions'],
    ['a 404', { fault: 'status', status: 404, body }, 'that the server has the model whisper'],
    ['a 413', { fault: 'status', status: 413, body }, 'check that whisper supports this'],
    ['a 429', { fault: 'status', status: 429, headers: soon, body }, 'try again later'],
    ['a 500', { fault: 'status', status: 500, headers: soon, body }, 'try again later'],
    ['an HTML page', { fault: 'status', status: 403, body: `<h1>${header}</h1>` }, 'check the API key'],
    ['garbage', { fault: 'garbage' }, 'returned an unexpected response'],
    [
      'an invalid response',
      { fault: 'status', status: 200, body: `{"said":"${key}"}` },
      'unexpected response',
    ],
  ])('is explained without the API key after %s', async (_name, turn, words) => {
    const { server, transcribe } = await listening();
    server.respond(() => turn);
    const error: unknown = await transcribe(memo, patient).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ModelError);
    expect(describeError(error)).toContain(words);
    expect(error).toMatchObject({ message: expect.stringContaining(server.baseUrl) });
    expect(server.requests[0]?.headers.authorization).toContain(key);
    const shown = inspect(error, { depth: 10, maxStringLength: null, showHidden: true });
    expect(`${shown} ${error instanceof Error ? error.stack : ''}`).not.toContain(key);
  });

  it('is explained if no server responds', async () => {
    const variables = {
      KEEPSAKE_TRANSCRIPTION: 'openai/w',
      KEEPSAKE_TRANSCRIPTION_BASE_URL: 'http://127.0.0.1:1/v1',
      OPENAI_API_KEY: key,
    };
    await expect(createConfiguredTranscriber(environmentWith(variables))?.(memo, patient)).rejects.toThrow(
      'cannot reach http://127.0.0.1:1/v1',
    );
  });
});

it('an aborted signal ends a transcription with the reason of the signal', async () => {
  const { server, transcribe } = await listening();
  server.respond(() => ({ fault: 'hang' }));
  const stop = new AbortController();
  const listens = transcribe(memo, stop.signal);
  await vi.waitUntil(() => server.requests.length === 1, { timeout: 30_000 });
  stop.abort(new Error('enough'));
  await expect(listens).rejects.toThrow('enough');
});

describe('the transcription model', () => {
  it('is null if none is configured', () => {
    const variables = { KEEPSAKE_MODEL: 'openai/m', OPENAI_API_KEY: 'k' };
    expect(createConfiguredTranscriber(environmentWith(variables))).toBeNull();
    expect(resolveTranscriptionModel(environmentWith(variables))).toBeNull();
  });

  it.each([
    ['unknown provider in model', 'transcription: anthropic/m', {}],
    ['unknown provider in model', 'transcription: whisper', {}],
    [
      'needs a base URL; set it with: keepsake config transcription',
      'transcription: openai-compatible/m',
      {},
    ],
    ['no API key for openai; set OPENAI_API_KEY', 'transcription: openai/m', {}],
    // The key of another model is not used.
    ['no API key for openai', 'transcription: openai/m', { KEEPSAKE_MODEL_API_KEY: 'of another' }],
  ])('is unavailable and reports: %s', async (reason, configuration, variables) => {
    const environment = environmentWith(variables, configuration);
    const chosen = resolveTranscriptionModel(environment);
    expect(chosen !== null && 'missing' in chosen && describeError(chosen.missing)).toContain(reason);
    const error: unknown = await createConfiguredTranscriber(environment)?.(memo, patient).catch(
      (failure: unknown) => failure,
    );
    expect(describeError(error)).toContain(reason);
  });

  it('uses its own URL, not that of the agents', () => {
    const configuration = 'model: openai/m\nmodelBaseUrl: http://127.0.0.1:1/v1\ntranscription: openai/w\n';
    const variables = { OPENAI_API_KEY: 'k' };
    expect(resolveTranscriptionModel(environmentWith(variables, configuration))).toEqual({
      provider: 'openai',
      model: 'w',
      baseUrl: 'https://api.openai.com/v1',
      apiKey: 'k',
    });
  });

  it('can be set for one process by environment variables', () => {
    const variables = {
      KEEPSAKE_TRANSCRIPTION: 'mistral/v',
      KEEPSAKE_TRANSCRIPTION_BASE_URL: 'http://127.0.0.1:2/v1',
      MISTRAL_API_KEY: 'k',
    };
    expect(resolveTranscriptionModel(environmentWith(variables, 'transcription: openai/w'))).toEqual({
      provider: 'mistral',
      model: 'v',
      baseUrl: 'http://127.0.0.1:2/v1',
      apiKey: 'k',
    });
  });
});

it('keepsake config transcription sets, shows and removes the transcription model', async () => {
  const variables = { XDG_CONFIG_HOME: temporaryFolder(), MISTRAL_API_KEY: key };
  const run = async (...args: string[]) => {
    const { code, out, err } = await runCommand(['config', ...args], { variables });
    return { code, said: out + err };
  };
  expect((await run('transcription')).said).toContain('no transcription model');
  expect((await run('transcription', 'mistral/v')).said).toMatch(
    /model +mistral\/v\naddress +https:\/\/api\.mistral\.ai\/v1\nkey +from MISTRAL_API_KEY\n$/,
  );
  expect((await run()).said).toMatch(/audio +mistral\/v\n/);
  expect(await run('transcription', 'anthropic/v')).toEqual({
    code: 2,
    said: 'error: the provider of anthropic/v does not support transcription; use one of openai, google, mistral, openai-compatible\n',
  });
  expect(await run('transcription', '--url', 'http://127.0.0.1:1')).toMatchObject({ code: 2 });
  expect((await run('transcription', '--none')).said).toContain('no transcription model');
});
