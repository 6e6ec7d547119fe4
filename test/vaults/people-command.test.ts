import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createBrowser } from '../oauth/browser.ts';
import { runCommand } from '../run-command.ts';
import { vaultsServer } from './vaults-server.ts';

it('keepsake people invites, lists and removes a member while a server is running', async () => {
  const server = await vaultsServer({ work: { 'a.md': '# A\n' } });
  const root = dirname(server.folder);
  const run = async (...words: string[]): Promise<string> => {
    const { out, err } = await runCommand(['people', ...words, '--vault', join(server.folder, 'work')], {
      variables: { XDG_CONFIG_HOME: join(root, 'config'), XDG_STATE_HOME: join(root, 'state') },
    });
    return out + err;
  };
  await (await fetch(`${server.url}/v/work/api/health`)).text();
  const [link = ''] = (await run('invite', 'Ada', '--role', 'writer')).split('\n');
  const browser = createBrowser();
  expect((await browser.open(link)).status).toBe(303);
  const tree = `${server.url}/v/work/api/vaults/default/tree`;
  expect((await browser.ask(tree)).status).toBe(200);
  const listed = await run();
  expect(listed).toMatch(/^[0-9a-f]{8} {2}writer {2}Ada\n$/);
  const id = listed.slice(0, 8);
  expect(await run('role', id, 'reader')).toBe('Ada: role changed to reader\n');
  expect(await run('remove', id)).toBe('Ada: removed\n');
  expect((await browser.ask(tree)).status).toBe(401);
  expect(await run('remove', id)).toContain('no member with id');
});
