import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { vaultsServer } from '../vaults/vaults-server.ts';
import { findViolations } from './accessibility.ts';
import { buildWeb } from './build-web.ts';
import { expectNoOverflow, hasChromium, saveScreenshot, openBrowser } from './open-web.ts';

const picture = readFileSync('packages/vault/src/web/public/icon-192.png');

describe.skipIf(!hasChromium)('several vaults in the browser', () => {
  it('are listed, opened and read, each under its own URL', { timeout: 300_000 }, async () => {
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
    const { page, browserErrors } = await openBrowser({ viewport: { width: 360, height: 740 } });
    await page.goto(server.createLoginLink());
    await page.getByRole('heading', { name: 'Vaults' }).waitFor();
    await expectNoOverflow(page);
    await saveScreenshot(page, 'vaults-360');
    const violations = await findViolations(page);
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

    // In the same tab, nothing of one vault appears in the other.
    await page.goto(`${server.url}/v/work/`);
    await page.getByText('You are not signed in', { exact: true }).waitFor();
    await page.goto(`${server.url}/`);
    await page.getByRole('button', { name: 'work' }).click();
    await page.getByRole('region', { name: 'Composer' }).waitFor();
    expect(await page.locator('textarea').first().inputValue()).toBe('');
    await page.goto(`${server.url}/v/work/file/house.md`);
    await page.getByRole('heading', { name: 'Another house' }).waitFor();
    expect(browserErrors.filter((each) => !each.includes('401'))).toEqual([]);
  });

  it(
    'are shared with members, who see only the settings that they may change',
    { timeout: 300_000 },
    async () => {
      const server = await vaultsServer(
        { Family: { 'overview.md': '# Of the family\n\n- [ ] Call the bank\n' } },
        { web: buildWeb() },
      );
      const { page } = await openBrowser();
      await page.goto(server.createLoginLink());
      await page.getByRole('button', { name: 'family' }).click();
      await page.getByRole('region', { name: 'Composer' }).waitFor();
      await page.goto(`${server.url}/v/family/settings`);
      const invitation = page.locator('form', { hasText: 'Invite' });
      await invitation.getByRole('textbox', { name: 'Name' }).fill('Léa');
      await invitation.getByRole('button', { name: 'Invite' }).click();
      const link = page.getByText('/v/family/open?code=');
      await link.waitFor();
      await saveScreenshot(page, 'people-1440');
      await page.setViewportSize({ width: 360, height: 740 });
      await expectNoOverflow(page);
      const violations = await findViolations(page);
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      await saveScreenshot(page, 'people-360');

      const { page: other } = await openBrowser({ locale: 'fr-FR' });
      await other.goto((await link.textContent()) ?? '');
      await other.getByRole('region', { name: 'Saisie' }).waitFor();
      // A reader is offered nothing that the server would refuse.
      await expect.poll(() => other.getByRole('button', { name: 'Nouvelle note' }).count()).toBe(0);
      expect(await other.getByRole('button', { name: 'Ajouter', exact: true }).count()).toBe(0);
      await other.goto(`${server.url}/v/family/file/overview.md`);
      await other.getByRole('checkbox', { name: 'Call the bank' }).waitFor();
      await expect.poll(() => other.getByRole('button', { name: 'Modifier', exact: true }).count()).toBe(0);
      expect(await other.getByRole('checkbox', { name: 'Call the bank' }).isDisabled()).toBe(true);
      await other.keyboard.press('Control+e');
      expect(await other.getByRole('button', { name: 'Enregistrer' }).count()).toBe(0);
      // What the owner does has the owner's name, not that of the person who reads it.
      await page.setViewportSize({ width: 1440, height: 800 });
      await page.goto(`${server.url}/v/family/file/overview.md`);
      await page.getByRole('checkbox', { name: 'Call the bank' }).check();
      await other.goto(`${server.url}/v/family/activity`);
      await other.getByText('Le propriétaire a modifié').first().waitFor();
      expect(await other.getByText('Vous avez').count()).toBe(0);
      expect(await other.getByRole('button', { name: 'Défaire' }).count()).toBe(0);
      await other.getByText('Aussi ici : Propriétaire').waitFor();
      await saveScreenshot(other, 'reader-activity-1440');
      await page.goto(`${server.url}/v/family/settings`);
      await other.goto(`${server.url}/v/family/settings`);
      await other.getByRole('heading', { name: 'Apparence' }).waitFor();
      expect(await other.getByRole('heading', { name: 'Personnes' }).count()).toBe(0);

      await page.getByRole('button', { name: 'Remove Léa' }).click();
      await page.getByText('No one invited yet.').waitFor();
      await other.getByText('Vous n’êtes pas connecté', { exact: true }).waitFor();
    },
  );
});
