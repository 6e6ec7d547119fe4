import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { ScriptedModel } from '../scripted-model/server.ts';
import { layOut } from '../temporary-vault.ts';
import type { Installed } from './installed.ts';

export type ToolName = 'claude-code' | 'codex';

/** Is in everything that a user has set up for a tool, and must not reach the model of the agents. */
export const plantedMark = 'PLANTED-BY-THE-USER';

/**
 * The environment of a user who is signed in to a tool, with hooks, instructions and servers that must not be used. The
 * tool talks to the scripted model.
 */
export function toolUser(
  { claude, codex }: Installed,
  tool: ToolName,
  { isSignedIn = true }: { isSignedIn?: boolean } = {},
): (model: ScriptedModel, folder: string) => Record<string, string> {
  return (model, folder) => {
    const home = join(folder, 'home');
    const bin = join(folder, 'bin');
    for (const each of [bin, join(home, '.claude'), join(home, '.codex')])
      mkdirSync(each, { recursive: true });
    symlinkSync(tool === 'codex' ? codex : claude, join(bin, tool === 'codex' ? 'codex' : 'claude'));
    plantFiles(home, home);
    if (isSignedIn) signIn(home);
    const state = join(folder, 'state-home');
    // The folder that Keepsake gives to Codex has no settings of the user, so the address of the model goes there.
    const agentFolder = join(state, 'keepsake', 'agent');
    layOut(join(agentFolder, 'codex'), {
      'config.toml': [
        'model_provider = "scripted"',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${model.baseUrl}"`,
        'wire_api = "responses"',
        'requires_openai_auth = true',
        'request_max_retries = 0',
        'stream_max_retries = 0',
      ].join('\n'),
    });
    plantFiles(join(agentFolder, 'work'), home);
    return {
      HOME: home,
      PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
      XDG_STATE_HOME: state,
      KEEPSAKE_MODEL: `${tool}/${tool === 'codex' ? 'gpt-5.5' : 'sonnet'}`,
      ANTHROPIC_BASE_URL: model.origin,
      // Would be charged instead of the plan.
      ANTHROPIC_API_KEY: 'sk-must-not-be-used',
    };
  };
}

function signIn(home: string): void {
  const hour = 3_600_000;
  const login = {
    claudeAiOauth: {
      accessToken: 'sk-ant-oat01-test',
      refreshToken: 'sk-ant-ort01-test',
      expiresAt: Date.now() + 24 * hour,
      scopes: ['user:inference', 'user:profile'],
      subscriptionType: 'max',
    },
  };
  writeFileSync(join(home, '.claude', '.credentials.json'), JSON.stringify(login), { mode: 0o600 });
  writeFileSync(join(home, '.codex', 'auth.json'), JSON.stringify({ OPENAI_API_KEY: 'sk-login' }), {
    mode: 0o600,
  });
}

/** Adds hooks and a server that leave a file behind in `home`, and instructions, as in a home folder and in a project. */
function plantFiles(folder: string, home: string): void {
  const script = join(home, 'planted.sh');
  writeFileSync(script, `#!/bin/sh\necho ${plantedMark}\ntouch "${join(home, 'planted-ran')}"\n`);
  chmodSync(script, 0o755);
  const hook = [{ hooks: [{ type: 'command', command: script }] }];
  const hooks = { SessionStart: hook, UserPromptSubmit: hook, Stop: hook };
  const mcpServers = { planted: { command: script } };
  layOut(folder, {
    '.claude/settings.json': JSON.stringify({ hooks }),
    '.claude/CLAUDE.md': plantedMark,
    '.claude.json': JSON.stringify({ hasCompletedOnboarding: true, mcpServers }),
    '.mcp.json': JSON.stringify({ mcpServers }),
    'CLAUDE.md': plantedMark,
    'AGENTS.md': plantedMark,
    '.codex/AGENTS.md': plantedMark,
    '.codex/hooks.json': JSON.stringify({ hooks }),
    '.codex/config.toml': `[mcp_servers.planted]\ncommand = "${script}"\n`,
  });
}
