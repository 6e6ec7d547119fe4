import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake, Update } from '../../packages/vault/src/app/index.ts';
import { keepsakeEventSchema } from '../../packages/vault/src/contract/index.ts';
import type { KeepsakeEvent, GetLimits, UpdateInput } from '../../packages/vault/src/contract/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { processVariables } from '../process-variables.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { ScriptedModel, Turn } from '../scripted-model/server.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import type { Files } from '../temporary-vault.ts';

export type AgentVault = {
  folder: string;
  state: string;
  model: ScriptedModel;
  keepsake: Keepsake;
  events: KeepsakeEvent[];
  /** The environment variables that the vault was opened with, for other processes that open it. */
  variables: Record<string, string>;
  /** Accepts the input and runs until the update is finished. */
  file: (input: Partial<UpdateInput>) => Promise<Update>;
  text: (path: string) => string | null;
};

export type AgentVaultOptions = {
  protocol?: 'openai' | 'anthropic';
  configuration?: string;
  clock?: () => number;
  /** Null for no model. */
  model?: null;
  /** A transcription model on the same server. */
  transcription?: string;
  /** The limits of the vault, evaluated at every use. */
  vaultLimits?: GetLimits;
  /** Further environment variables; `folder` is for the files of the test. */
  variables?: (model: ScriptedModel, folder: string) => Record<string, string>;
  /** The locale of the environment. */
  locale?: string;
  /** Whether the vault is an adopted folder, which has no root files. */
  isAdopted?: boolean;
};

/** A step that searches the vault: without one, an answer without citations is rejected. */
export const looking: Turn = { calls: [{ tool: 'search', input: { queries: ['anything'], mode: 'fast' } }] };

/** A new vault with these files, opened with the scripted model behind a real provider. */
export async function agentVault(files: Files = {}, options: AgentVaultOptions = {}): Promise<AgentVault> {
  const root = temporaryFolder();
  const [folder, state, config] = [
    join(root, 'vault'),
    join(root, 'state'),
    join(root, 'config', 'keepsake'),
  ];
  mkdirSync(config, { recursive: true });
  if (options.isAdopted === true) layOut(folder, { 'note.md': 'a note\n' });
  initVault(folder, {
    language: options.locale?.startsWith('fr') === true ? 'fr' : 'en',
    home: root,
    clock: options.clock ?? Date.now,
  });
  layOut(folder, files);
  if (options.configuration !== undefined) layOut(config, { 'config.yaml': options.configuration });
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const variables = {
    ...processVariables,
    XDG_CONFIG_HOME: join(root, 'config'),
    ...(options.model !== null && {
      KEEPSAKE_MODEL: options.protocol === 'anthropic' ? 'anthropic/test' : 'openai-compatible/test',
    }),
    ...(options.transcription !== undefined && {
      KEEPSAKE_TRANSCRIPTION: options.transcription,
      KEEPSAKE_TRANSCRIPTION_BASE_URL: model.baseUrl,
    }),
    ...(options.locale !== undefined && { LC_ALL: options.locale }),
    KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
    KEEPSAKE_MODEL_API_KEY: 'test-key',
    ...options.variables?.(model, root),
  };
  let skipped = 0;
  const clock = (): number => (options.clock ?? Date.now)() + skipped;
  const keepsake = await openKeepsake({
    vault: folder,
    state,
    environment: readEnvironment(variables),
    clock,
    limits: options.vaultLimits,
  });
  onTestFinished(async () => void (await keepsake.close()));
  const events: KeepsakeEvent[] = [];
  // Events are parsed as by clients: one that does not match the schema fails the test.
  keepsake.events.subscribe((event) => void events.push(keepsakeEventSchema.parse(event)));
  return {
    folder,
    state,
    model,
    keepsake,
    events,
    variables,
    async file(input) {
      const { updates } = keepsake.agents;
      const { id } = await keepsake.accept(anInput(input));
      const runner = updates.start((error) => console.error(error));
      try {
        for (let next = updates.next(); next !== null; next = updates.next()) {
          // Waits for earlier updates, but not for later ones.
          if (next.id !== id && !['waiting', 'running'].includes(updates.find(id)?.state ?? '')) break;
          // Advances the clock to the next attempt, and no further.
          if (next.state === 'waiting' && next.claimableAt > clock()) {
            skipped += next.claimableAt - clock();
            runner.wake();
          }
          await new Promise((done) => setTimeout(done, 2));
        }
      } finally {
        await runner.stop();
      }
      const update = updates.find(id);
      if (update === undefined) throw new Error('the update is gone');
      return update;
    },
    text(path) {
      const file = join(folder, path);
      return existsSync(file) ? readFileSync(file, 'utf8') : null;
    },
  };
}

/** A turn that files a changelog entry, so that the update can finish. */
export function anEntry(title: string): Turn {
  const content = `# 2025-07-14\n\n## ${title}`;
  return { calls: [{ tool: 'append', input: { path: 'vault/changelog.md', content, position: 'top' } }] };
}

/** An input, by default in the user's own words. */
export function anInput(input: Partial<UpdateInput>): UpdateInput {
  return { text: '', files: [], source: { kind: 'person', name: 'test' }, ...input };
}
