// What is kept back does not exist for models: an excluded file is in no resource and no tool of an MCP client, with and without the service.
import { startMcp } from './lib/mcp.mjs';
import { broken, failed, held, newVault, prepare, serve } from './lib/world.mjs';

await newVault({ 'private/diary.md': 'the diary: zanzibar\n', 'bucket/open.md': 'an open note\n' });
await prepare('config', 'exclude', 'private/**');
const observed = [];
for (const isServed of [false, true]) {
  const service = isServed ? await serve() : null;
  const mcp = await startMcp();
  const { result } = await mcp.ask('resources/list', {});
  if (!JSON.stringify(result.resources).includes('open.md')) failed('the resources do not list an open note');
  if (!(await mcp.tool('vault_search', { queries: ['open note'], mode: 'fast' })).includes('open.md'))
    failed('the search does not find an open note');
  const doors = {
    'resources/list': JSON.stringify(result.resources),
    'resources/read': JSON.stringify(await mcp.ask('resources/read', { uri: 'vault://private/diary.md' })),
    vault_read: await mcp.tool('vault_read', { paths: 'private/diary.md' }),
    vault_tree: await mcp.tool('vault_tree', {}),
    vault_search: await mcp.tool('vault_search', { queries: ['zanzibar'], mode: 'fast' }),
  };
  const shows = {
    'resources/list': /diary/,
    'resources/read': /zanzibar/,
    vault_read: /zanzibar/,
    vault_tree: /diary/,
    vault_search: /the diary/,
  };
  const open = Object.keys(doors).filter((door) => shows[door].test(doors[door]));
  if (open.length > 0)
    observed.push(`${open.join(' and ')} ${isServed ? 'beside the service' : 'without a service'}`);
  mcp.close();
  await service?.stop();
}
if (observed.length > 0) broken(`an excluded file is shown by ${observed.join('; ')}`);
held();
