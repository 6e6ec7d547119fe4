import { describe, expect, it } from 'vitest';
import { fakeWindows } from '../../../../test/fake-windows.ts';
import { pluginClients } from './plugin.ts';

fakeWindows();

describe('hooks of a plugin on Windows', () => {
  it('name programs in a form that means the same in Git Bash and in cmd.exe', () => {
    const program = [String.raw`C:\Program Files\nodejs\node.exe`, String.raw`C:\npm\keepsake\main.js`];
    const server = { kind: 'stdio' as const, command: 'node', args: [] };
    const files = pluginClients['claude-code']?.files({ version: '1', program, server, skill: '' });
    expect(JSON.stringify(files)).toContain(
      JSON.stringify(
        '"C:/Program Files/nodejs/node.exe" "C:/npm/keepsake/main.js" hook auto session-start',
      ).slice(1, -1),
    );
  });
});
