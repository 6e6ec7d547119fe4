import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { runHook } from '../packages/vault/src/hook/index.ts';
import { drain } from '../packages/vault/src/sessions/index.ts';
import { agentVault, anEntry } from './agents/agent-vault.ts';
import { createSecretShapes } from './secrets/secret-shapes.ts';

type Shapes = ReturnType<typeof createSecretShapes>;

const around = 'Here is how we reach the machine, and what I use for it. ';

it.each(['with a model', 'without a model'])(
  'none of 120 secrets in sessions reaches spool, notes, queue, logs or a model, %s',
  async (kind) => {
    const hasModel = kind === 'with a model';
    const vault = await agentVault({ 'projects/x/state.md': '# State\n' }, hasModel ? {} : { model: null });
    const home = join(vault.state, '..');
    const variables = {
      XDG_STATE_HOME: join(home, 'sessions'),
      XDG_CONFIG_HOME: join(home, 'config'),
      CLAUDECODE: '1',
    };
    const settings = { vault: vault.folder, capture: 'linked', links: { '/code': 'x' } };
    mkdirSync(join(home, 'config', 'keepsake'), { recursive: true });
    writeFileSync(join(home, 'config', 'keepsake', 'sessions.json'), JSON.stringify(settings));
    const call = (event: string, said: object): Promise<void> =>
      runHook(['auto', event], {
        calledAt: Date.now(),
        variables,
        input: () => Readable.from([Buffer.from(JSON.stringify({ cwd: '/code', ...said }))]),
        print: (text) => expect.unreachable(`printed ${text}`),
        brief: async () => null,
        drain: async () => undefined,
      });
    const secrets: string[] = [];
    const [shapes, others, more] = [1, 2, 3].map((seed) => createSecretShapes(seed)) as [
      Shapes,
      Shapes,
      Shapes,
    ];
    for (let index = 0; index < 40; index += 1) {
      const session_id = `s${index}`;
      const [asked, answered, summed] = [shapes[index], others[index + 100], more[index + 200]];
      if (asked === undefined || answered === undefined || summed === undefined) expect.unreachable();
      secrets.push(asked.secret, answered.secret, summed.secret);
      await call('prompt', { session_id, prompt_id: 'p', prompt: `${around.repeat(8)}${asked.text}` });
      await call('turn', { session_id, prompt_id: 'p', last_assistant_message: `${around}${answered.text}` });
      await call('post-compact', { session_id, compact_summary: `${around}${summed.text}` });
    }
    expect(new Set(secrets).size).toBe(120);
    /** Searches every byte in and around the vault. */
    const found = (): string[] => {
      const all = readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
      const asked = vault.model.requests.map(({ rawBody }) => rawBody);
      const everything = [...all, ...asked].join('\n');
      expect(everything).toContain('[secret removed]');
      return secrets.filter((secret) => everything.includes(secret));
    };
    expect(found()).toEqual([]);
    const stateHome = join(home, 'sessions', 'keepsake');
    const clock = (): number => Date.now() + 2 * 3_600_000;
    const { notes, updates } = await drain({
      keepsake: vault.keepsake,
      stateHome,
      hasModel: () => hasModel,
      clock,
    });
    expect(hasModel ? updates.length : notes.length).toBe(hasModel ? 1 : 40);
    if (hasModel) {
      vault.model.respond((_, index) => (index === 0 ? anEntry('Sessions') : { text: 'Filed.' }));
      await vault.file({ text: 'That is all.' });
      expect(vault.model.requests.map(({ rawBody }) => rawBody).join('\n')).toContain('[secret removed]');
    }
    expect(found()).toEqual([]);
  },
);
