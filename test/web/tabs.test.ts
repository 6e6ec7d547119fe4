import { describe, expect, it } from 'vitest';
import { layOut } from '../temporary-vault.ts';
import { hasChromium, openWeb } from './open-web.ts';

describe.skipIf(!hasChromium)('eight tabs', () => {
  it('are kept up to date by one stream, even after the tab that holds it is closed', async () => {
    const { page, server, context } = await openWeb({ 'notes.md': 'one\n' });
    const tabs = [page];
    const allShow = async (name: string): Promise<void> => {
      layOut(server.folder, { [name]: 'new\n' });
      for (const tab of tabs) await tab.getByRole('treeitem', { name }).waitFor();
    };
    await allShow('alone.md');
    const streams: string[] = [];
    context.on('request', (request) => {
      if (request.url().endsWith('/events')) streams.push(request.url());
    });
    const opened = Array.from({ length: 7 }, async () => {
      const tab = await context.newPage();
      await tab.goto(`${server.url}/file/notes.md`);
      await tab.getByRole('article').getByText('one').waitFor();
      return tab;
    });
    tabs.push(...(await Promise.all(opened)));
    await allShow('from-outside.md');
    expect(streams).toEqual([]);
    await tabs.shift()?.close();
    await allShow('after-the-first.md');
    expect(streams).toHaveLength(1);
    await tabs[0]?.getByRole('link', { name: 'Activity' }).click();
    await tabs[0]?.getByRole('heading', { name: 'Activity' }).waitFor();
  });
});
