import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionEvent } from '../packages/vault/src/hook/index.ts';
import { drain } from '../packages/vault/src/sessions/index.ts';
import { walkFilePaths } from '../packages/vault/src/vault/index.ts';
import { agentVault } from './agents/agent-vault.ts';
import type { AgentVaultOptions } from './agents/agent-vault.ts';
import type { Files } from './temporary-vault.ts';

/** A text that is long enough for a session to be kept. */
export const long = 'We talked about it for a while, and looked at what there is. '.repeat(8);
export const start = Date.parse('2026-11-16T09:00:00');

type GivenFields = 'event' | 'session' | 'key' | 'at' | 'vault' | 'text';

/** An event of Claude Code in the repository of project x. */
export function sessionEvent(given: Pick<SessionEvent, GivenFields> & Partial<SessionEvent>): SessionEvent {
  return {
    v: 1,
    client: 'claude-code',
    folder: '/code',
    remote: 'github.com/o/x',
    project: 'x',
    secrets: 0,
    cut: 0,
    ...given,
  };
}

/** A vault with sessions in the spool of its user. */
export async function recordedVault(files: Files = {}, options: AgentVaultOptions = { model: null }) {
  const vault = await agentVault({ 'projects/x/state.md': 'Runs.\n', ...files }, options);
  const stateHome = join(vault.state, '..', 'sessions', 'keepsake');
  mkdirSync(join(stateHome, 'spool'), { recursive: true });
  const hasModel = options.model !== null;
  let now = start;
  const say = (event: SessionEvent['event'], text: string, more: Partial<SessionEvent> = {}): void => {
    now += 60_000;
    const session = more.session ?? 's1';
    const key = createHash('sha256').update(`${session} ${event} ${now}`).digest('hex').slice(0, 32);
    const part = sessionEvent({
      event,
      session,
      key,
      at: now,
      vault: vault.folder,
      branch: 'main',
      text,
      ...more,
    });
    writeFileSync(join(stateHome, 'spool', `${key}.json`), JSON.stringify(part));
  };
  return {
    ...vault,
    /** The folder with the spool. */
    stateHome,
    /** Records an event, a minute after the one before. */
    say,
    drain: () =>
      drain({ keepsake: vault.keepsake, stateHome, hasModel: () => hasModel, clock: () => now + 3_600_000 }),
    /** The files in all buckets. */
    bucket: async () =>
      [...walkFilePaths(await vault.keepsake.contents())].filter((path) => path.includes('/bucket/')),
  };
}
