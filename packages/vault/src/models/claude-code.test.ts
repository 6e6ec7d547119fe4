import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { createClaudeCodeModel } from './claude-code.ts';

const countServers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

it('a run of Claude Code that cannot start leaves no server that keeps the process alive', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'file'), '');
  const model = createClaudeCodeModel({
    name: 'claude-code/sonnet',
    endpoint: { baseUrl: '/bin/false', model: 'sonnet' },
    timeoutSeconds: 60,
    program: { file: '/bin/false', variables: {}, home, folder: join(home, 'file', 'agent') },
  });
  const before = countServers();
  const step = model.step({
    instructions: '',
    tools: [],
    messages: [{ role: 'user', content: [{ text: 'a', images: [] }] }],
    signal: new AbortController().signal,
  });
  await expect(step).rejects.toThrow('ENOTDIR');
  await expect.poll(countServers).toBe(before);
});
