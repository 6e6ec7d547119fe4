import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium, openBrowser, openWeb, saveScreenshot } from './open-web.ts';

const files = {
  'projects/garden/state.md':
    '---\ntags: [garden]\n---\n# State\n\nFour beds #garden.\n\n- [ ] Dig 📅 2020-01-02\n- [ ] Plant\n- [x] Buy seeds\n',
  'daily/2026-11-17.md': '# Day\n',
  'inbox/2026-11-17-why/review.md': '# Which bed?\n\nIs it bed one or bed two?\n\nProposed: bed one.\n',
};

/** Controls that change the vault, by their name. */
const changing =
  /^(?:Edit|New note|New note here|Add|Add a note|Today’s note|Rename|Move|Delete|Forget|Forget this passage|Undo|Restore|Approve|Reject|Save|Pin|Unpin|Import|Attach|Attach files|Create|Create file|Revoke|Invite|Hide|Send answer|Answer)\b/;

/** The names of the enabled controls on the page that would change the vault. */
async function findChangingControls(page: Page): Promise<string[]> {
  const controls = page.locator(
    'button:enabled, [role=menuitem]:not([aria-disabled=true]), input:enabled:not([type=search]), select:enabled, [role=checkbox]:enabled, [draggable=true], textarea:enabled',
  );
  const named = await controls.evaluateAll((all) =>
    (
      all as unknown as {
        ariaLabel: string | null;
        textContent: string;
        type: string;
        draggable: boolean;
        role: string | null;
        tagName: string;
      }[]
    ).map((each) => ({
      name: (each.ariaLabel ?? each.textContent).trim(),
      isBox: each.type === 'checkbox' || each.role === 'checkbox',
      isDraggable: each.draggable && each.tagName !== 'A' && each.tagName !== 'IMG',
    })),
  );
  return named
    .filter(({ name, isBox, isDraggable }) => isBox || isDraggable || changing.test(name))
    .map(({ name }) => name);
}

/** Opens a browser as an invited member of the vault of `owner`. */
async function openMember(owner: Page, url: string, role: string) {
  const created = await owner.request.post(`${url}/api/vaults/default/people`, {
    data: { name: 'Léa', role },
    headers: { origin: url },
  });
  const invitation = (await created.json()) as { url: string };
  const opened = await openBrowser();
  await opened.context.request.get(invitation.url);
  const refused: string[] = [];
  opened.page.on('response', (response) => {
    if ([401, 403].includes(response.status()))
      refused.push(`${response.request().method()} ${response.url()}`);
  });
  return { ...opened, refused };
}

describe.skipIf(!hasChromium)('a member who can only read', () => {
  it('is offered no control that would change the vault, on any page', async () => {
    const { page: owner, server } = await openWeb(files);
    const { page, refused, browserErrors } = await openMember(owner, server.url, 'reader');
    const pages: [path: string, ready: string | RegExp][] = [
      ['/', 'Dig'],
      ['/tasks', 'Dig'],
      ['/tasks?view=board', 'Dig'],
      ['/calendar', /2026|202\d/],
      ['/tags', 'garden'],
      ['/file/projects/garden/state.md', 'Four beds'],
      ['/file/projects/garden/state.md?view=history', 'state.md'],
      ['/file/projects/garden/missing.md', 'File not found'],
      ['/file/projects', 'garden'],
      ['/inbox', 'Which bed?'],
      ['/activity', 'Activity'],
      ['/answers', 'Answers'],
      ['/search?q=beds', 'Four beds'],
      ['/settings', 'Appearance'],
    ];
    for (const [path, ready] of pages) {
      await page.goto(`${server.url}${path}`);
      await page.getByRole('main').getByText(ready).first().waitFor();
      await expect.poll(() => findChangingControls(page), { message: path }).toEqual([]);
      await saveScreenshot(page, `reader${path.replaceAll(/[^a-z]+/g, '-')}`);
    }
    // The menus of files, and the keys that open dialogs.
    await page.goto(`${server.url}/file/projects/garden/state.md`);
    await page.getByRole('button', { name: 'More actions' }).first().click();
    await page.getByRole('menu').waitFor();
    expect(await findChangingControls(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('tree').focus();
    for (const key of ['F2', 'Delete', 'Control+e']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Editor' }).count()).toBe(0);
    expect(refused).toEqual([]);
    expect(browserErrors.filter((line) => !line.includes('404'))).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('a member who can write', () => {
  it('is not offered to forget, and to reject but not to approve a request to forget', async () => {
    const { page: owner, server } = await openWeb({
      ...files,
      'people/anna.md': '# Anna\n\nAnna is expecting a child.\n',
    });
    const { page, refused } = await openMember(owner, server.url, 'writer');
    await page.goto(`${server.url}/file/projects/garden/state.md`);
    await page.getByRole('button', { name: 'More actions' }).first().click();
    const menu = page.getByRole('menu');
    await menu.getByText('Rename').waitFor();
    expect(await menu.getByText(/^Forget/).count()).toBe(0);
    await page.goto(`${server.url}/search?q=beds`);
    await page.getByRole('main').getByText('Four beds').first().waitFor();
    expect(await page.getByRole('button', { name: 'Forget this passage' }).count()).toBe(0);

    server.model.script({ text: 'I do not know.' });
    const text = 'Forget that Anna is expecting a child.';
    const source = { kind: 'person', name: 'Léa' } as const;
    const { id } = await server.keepsake.agents.updates.accept({ text, files: [], source });
    for (const path of [`/activity/${id}`, '/inbox']) {
      await page.goto(`${server.url}${path}`);
      const main = page.getByRole('main');
      await main.getByRole('button', { name: 'Reject' }).first().waitFor();
      expect(await main.getByRole('button', { name: /Approve|Review/ }).count()).toBe(0);
      await main.getByText('Only an owner can approve this').waitFor();
      await saveScreenshot(page, `writer-forgetting${path.slice(0, 6).replace('/', '-')}`);
    }
    expect(refused).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('an invited owner', () => {
  it('sees the settings of the machine, and who can change them, without controls', async () => {
    const { page: owner, server } = await openWeb(files);
    const hidden = { data: { patterns: ['daily/**'] }, headers: { origin: server.url } };
    await owner.request.put(`${server.url}/api/vaults/default/exclusions`, hidden);
    const { page, refused } = await openMember(owner, server.url, 'owner');
    await page.goto(`${server.url}/settings`);
    await page.getByText('daily/**').waitFor();
    expect(await page.getByText('Only the person who runs it can change this').count()).toBe(2);
    for (const name of ['Save and test', 'Test', 'Hide', 'Stop hiding daily/**'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(1);
    await saveScreenshot(page, 'invited-owner-settings');
    expect(refused).toEqual([]);
  });
});
