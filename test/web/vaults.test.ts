import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { vaultsServer } from '../vaults/vaults-server.ts';
import { violationsIn } from './accessibility.ts';
import { buildWeb } from './build-web.ts';
import { expectNoOverflow, hasChromium, keepPicture, openBrowser } from './open-web.ts';

const picture = readFileSync('packages/vault/src/web/public/icon-192.png');

describe.skipIf(!hasChromium)('several vaults in the browser', () => {
  it('are listed, opened and read, each under its own address', { timeout: 300_000 }, async () => {
    const server = await vaultsServer(
      {
        Family: {
          'overview.md': '# Of the family\n',
          'house.md': '# House\n\n![plan](plan.png)\n',
          'plan.png': picture,
        },
        Work: { 'overview.md': '# Of work\n', 'house.md': '# Another house\n' },
      },
      { web: buildWeb() },
    );
    const { page, complaints } = await openBrowser({ viewport: { width: 360, height: 740 } });
    await page.goto(server.createLink());
    await page.getByRole('heading', { name: 'Vaults' }).waitFor();
    await expectNoOverflow(page);
    await keepPicture(page, 'vaults-360');
    const violations = await violationsIn(page);
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 800 });
    await page.getByRole('button', { name: 'family' }).click();
    await page.getByRole('region', { name: 'Composer' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/v/family/');

    await page.getByRole('treeitem', { name: 'house.md' }).click();
    await page.getByRole('heading', { name: 'House', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/v/family/file/house.md');
    await page.waitForFunction(`document.querySelector('img[alt=plan]')?.naturalWidth === 192`);
    await page
      .getByRole('textbox', { name: /note|question/i })
      .first()
      .fill('only for the family');
    await page.reload();
    await page.getByRole('heading', { name: 'House', exact: true }).waitFor();

    // In the same tab: nothing of the one is in the other.
    await page.goto(`${server.url}/v/work/`);
    await page.getByText('This browser is not signed in').waitFor();
    await page.goto(`${server.url}/`);
    await page.getByRole('button', { name: 'work' }).click();
    await page.getByRole('region', { name: 'Composer' }).waitFor();
    expect(await page.locator('textarea').first().inputValue()).toBe('');
    await page.goto(`${server.url}/v/work/file/house.md`);
    await page.getByRole('heading', { name: 'Another house' }).waitFor();
    expect(complaints.filter((each) => !each.includes('401'))).toEqual([]);
  });

  it(
    'are shared with people, who see no more settings than they may change',
    { timeout: 300_000 },
    async () => {
      const server = await vaultsServer(
        { Family: { 'overview.md': '# Of the family\n' } },
        { web: buildWeb() },
      );
      const { page } = await openBrowser();
      await page.goto(server.createLink());
      await page.getByRole('button', { name: 'family' }).click();
      await page.getByRole('region', { name: 'Composer' }).waitFor();
      await page.goto(`${server.url}/v/family/settings`);
      await page.getByRole('textbox', { name: 'Name of the person' }).fill('Léa');
      await page.getByRole('button', { name: 'Invite' }).click();
      const link = page.getByText('/v/family/open?code=');
      await link.waitFor();
      await keepPicture(page, 'people-1440');
      await page.setViewportSize({ width: 360, height: 740 });
      await expectNoOverflow(page);
      const violations = await violationsIn(page);
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      await keepPicture(page, 'people-360');

      const { page: other } = await openBrowser({ locale: 'fr-FR' });
      await other.goto((await link.textContent()) ?? '');
      await other.getByRole('region', { name: 'Saisie' }).waitFor();
      await other.goto(`${server.url}/v/family/settings`);
      await other.getByRole('heading', { name: 'Apparence' }).waitFor();
      expect(await other.getByRole('heading', { name: 'Personnes' }).count()).toBe(0);

      await page.getByRole('button', { name: 'Remove Léa' }).click();
      await page.getByText('Nobody was invited.').waitFor();
      await other.getByText('Ce navigateur n’est pas connecté').waitFor();
    },
  );
});
