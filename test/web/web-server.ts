import { join } from 'node:path';
import { resolveAgentModel, openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { reasonFrom } from '../../packages/vault/src/contract/index.ts';
import { startServer } from '../../packages/vault/src/server/index.ts';
import { createWebAssets } from '../../packages/vault/src/server/web/serve-assets.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { ScriptedModel } from '../scripted-model/server.ts';
import { layOut } from '../temporary-vault.ts';
import type { Files } from '../temporary-vault.ts';
import { buildWeb } from './build-web.ts';

export type WebServer = {
  folder: string;
  model: ScriptedModel;
  keepsake: Keepsake;
  url: string;
  /** Creates a one-time link that signs a browser in. */
  link(): string;
  /** Asks a question as the user. Returns the id of the answer when it is complete. */
  ask(question: string): Promise<string>;
  /** `start` uses the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  language?: 'en' | 'fr';
  hasModel?: boolean;
  /** URL of the models for deep search; without it there are none. */
  searchModels?: string | undefined;
};

/** Starts a real server on files in this folder, with the built interface and a scripted model. */
export async function startWebServer(root: string, files: Files, options: Options = {}): Promise<WebServer> {
  const built = buildWeb();
  const folder = join(root, 'vault');
  layOut(root, { 'config/keepsake/config.yaml': configuration(options.searchModels) });
  initVault(folder, { language: options.language ?? 'en', home: root, clock: Date.now });
  layOut(folder, files);
  const model = await startScriptedModel();
  const environment = readEnvironment({
    PATH: process.env['PATH'] ?? '',
    XDG_CONFIG_HOME: join(root, 'config'),
    ...(options.hasModel !== false && { KEEPSAKE_MODEL: 'openai-compatible/test' }),
    KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
    KEEPSAKE_MODEL_API_KEY: 'test-key',
  });
  const secret = 'the-secret-of-the-test';
  let port = 0;
  let running = await open();

  async function open() {
    const keepsake = await openKeepsake({ vault: folder, state: join(root, 'state'), environment });
    const server = await startServer({
      keepsake,
      vaultName: 'vault',
      port,
      secret,
      mcp: null,
      log: () => undefined,
      allowedHosts: ['vault.test'],
      environment,
      web: createWebAssets(built),
      model: () => {
        const chosen = resolveAgentModel(environment);
        return 'missing' in chosen
          ? { missing: reasonFrom(chosen.missing) }
          : { name: 'openai-compatible/test', hasPrices: chosen.prices !== null };
      },
    });
    port = Number(new URL(server.url).port);
    const upkeep = keepsake.startUpkeep({ onEvent: () => undefined });
    const runner =
      options.hasModel === false ? null : keepsake.agents.updates.start((error) => console.error(error));
    keepsake.events.subscribe((event) => {
      if (event.type === 'update-accepted') runner?.wake();
    });
    return {
      keepsake,
      createLink: () => server.createLoginLink(),
      async close() {
        await server.close();
        await runner?.stop();
        await upkeep.stop();
        await keepsake.close();
      },
    };
  }

  let isOpen = true;
  const stop = async (): Promise<void> => {
    if (isOpen) await running.close();
    isOpen = false;
  };
  return {
    folder,
    model,
    get keepsake() {
      return running.keepsake;
    },
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    link: () => running.createLink(),
    async ask(question) {
      const answers = `http://127.0.0.1:${port}/api/vaults/default/answers`;
      const authorization = `Bearer ${secret}`;
      const response = await fetch(answers, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ question, keep: true }),
      });
      const { id } = (await response.json()) as { id: string };
      // The stream ends when the answer is complete.
      await (await fetch(`${answers}/${id}/events`, { headers: { authorization } })).text();
      return id;
    },
    stop,
    async start() {
      running = await open();
      isOpen = true;
    },
    async close() {
      await stop();
      await model.close();
    },
  };
}

function configuration(baseUrl: string | undefined): string {
  const model = { baseUrl, model: 'm1' };
  const search = { embedder: model, expander: model, reranker: model };
  return JSON.stringify(baseUrl === undefined ? {} : { search });
}
