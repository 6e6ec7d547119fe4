import { describe, expect, it } from 'vitest';
import { fakeWindows } from '../../../../test/fake-windows.ts';
import { pluginClients } from './plugin.ts';

fakeWindows();

describe('hooks of a plugin on Windows', () => {
  it('name programs in a form that means the same in Git Bash and in cmd.exe', () => {
    const launcher = String.raw`C:\Users\Ada L\AppData\Local\keepsake\keepsake-launcher.cmd`;
    const server = { kind: 'stdio' as const, command: 'node', args: [] };
    const files = pluginClients['claude-code']?.files({
      version: '1',
      launcher,
      program: [],
      server,
      skill: '',
    });
    expect(JSON.stringify(files)).toContain(
      JSON.stringify(
        '"C:/Users/Ada L/AppData/Local/keepsake/keepsake-launcher.cmd" hook auto session-start',
      ).slice(1, -1),
    );
  });
});
