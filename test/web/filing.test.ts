import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../sample-of.ts';
import type { Turn } from '../scripted-model/server.ts';
import { hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const project = {
  'projects/startup-x/state.md': '## Status\nactive\n\n## Blocked by\nThe external API is late.\n',
  'projects/startup-x/changelog.md': '# 2025-07-01\n\n## Began\nFirst day.\n',
};
const state = 'vault/projects/startup-x/state.md';
const entry = (title: string) => ({
  tool: 'append',
  input: { path: 'vault/changelog.md', content: `# 2025-07-14\n\n## ${title}\nSee there.`, position: 'top' },
});
const filing: Turn[] = [
  { calls: [{ tool: 'search', input: { queries: ['external API'], mode: 'fast' } }] },
  { calls: [{ tool: 'read', input: { paths: state } }] },
  {
    calls: [
      {
        tool: 'edit',
        input: { path: state, old: 'The external API is late.', new: 'Nothing: it is built in house.' },
      },
      {
        tool: 'write',
        input: { path: 'vault/projects/startup-x/api-plan.md', content: '# The plan\nTwo weeks.\n' },
      },
      entry('startup-x builds the API itself'),
    ],
  },
  { text: 'Filed the decision in startup-x.' },
];
const text = 'We drop the external API and build it ourselves.';

/** The diff of a file that only got new stamps. */
const stampDiff = [
  '--- vault/profile.md\n+++ vault/profile.md\n@@ -1,4 +1,4 @@\n ---',
  '-updated: 2025-07-01T10:00:00\n-tokens: 3\n+updated: 2025-07-14T10:00:00\n+tokens: 4\n ---\n',
].join('\n');

describe.skipIf(!hasChromium)('filing a note', () => {
  it('updates the tree, shows the changes, and can be undone', async () => {
    const { page, server, browserErrors } = await openWeb(project, {
      path: '/file/projects/startup-x/state.md',
    });
    server.model.script(...filing);
    await page.route('**/updates/*', async (route) => {
      const response = await route.fetch();
      const update = (await response.json()) as { diffs: object[] };
      const diffs = [...update.diffs, { path: 'vault/profile.md', diff: stampDiff }];
      await route.fulfill({ response, json: { ...update, diffs } });
    });
    const tree = page.getByRole('tree');
    await tree.getByRole('treeitem', { name: /state\.md/ }).waitFor();
    expect(await tree.getByRole('treeitem', { name: /api-plan/ }).count()).toBe(0);
    await page.getByRole('textbox', { name: /A note/ }).fill(text);
    await page.keyboard.press('Control+Enter');
    // The change appears immediately in the tree and in the open file.
    await tree.getByRole('treeitem', { name: /api-plan\.md/ }).waitFor();
    await page.getByText('Nothing: it is built in house.').waitFor();
    const strip = page.getByRole('status').filter({ hasText: 'Filed the decision in startup-x.' });
    await strip.waitFor();
    await strip.getByRole('link', { name: 'Show' }).click();
    // Files of which only stamps changed are not counted, and there is one number of steps, which are all listed.
    await page.getByRole('main').getByText('4 files changed', { exact: true }).waitFor();
    await page.getByRole('main').getByText('The external API is late.').waitFor();
    expect(await page.getByText('No text changed').count()).toBe(0);
    expect(await page.getByText(/\b\d+ steps?\b/).allTextContents()).toEqual(['5 steps']);
    expect(await page.getByRole('main').getByLabel('done').count()).toBe(5);
    await saveScreenshot(page, 'update');
    await page.getByRole('main').getByRole('button', { name: 'Undo' }).click();
    await tree.getByRole('treeitem', { name: /api-plan/ }).waitFor({ state: 'detached' });
    await page.getByRole('main').getByText('Undone').waitFor();
    expect(await page.getByRole('main').getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(readFileSync(join(server.folder, 'projects/startup-x/state.md'), 'utf8')).toContain(
      'API is late.',
    );
    expect(browserErrors).toEqual([]);
    // Otherwise a response would be replaced while the page closes.
    await page.unrouteAll({ behavior: 'wait' });
  });

  const conflicts = [
    {
      locale: 'en-GB',
      undo: 'Undo',
      title: 'These lines changed in the meantime',
      both: 'Keep both',
      done: 'Undone',
    },
    {
      locale: 'fr-FR',
      undo: 'Défaire',
      title: 'Ces lignes ont été modifiées entre-temps',
      both: 'Garder les deux',
      done: 'Défait',
    },
  ];
  it.each(sampleOf(conflicts, 2, 1))(
    'asks which lines to keep if its undo conflicts with later edits: $locale',
    async ({ locale, undo, title, both, done }) => {
      const { page, server, go } = await openWeb(project, { locale });
      server.model.script(...filing);
      const { id } = await server.keepsake.accept({
        text,
        files: [],
        source: { kind: 'person', name: 'test' },
      });
      await expect.poll(() => server.keepsake.agents.updates.find(id)?.state).toBe('done');
      const file = join(server.folder, 'projects/startup-x/state.md');
      writeFileSync(file, readFileSync(file, 'utf8').replace('it is built in house', 'it was bought'));
      await go(`/activity/${id}`);
      await page.getByRole('main').getByRole('button', { name: undo }).click();
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.getByText('Nothing: it was bought.').waitFor();
      await saveScreenshot(page, `undo-conflict-${locale}`);
      expect(await dialog.getByText(title).count()).toBe(1);
      const shown = (await dialog.textContent()) ?? '';
      expect(shown).toContain('The external API is late.');
      expect(shown).not.toMatch(/\{"|"conflict"|send it again|vault\/|```|\d+ \|/);
      expect(await dialog.getByRole('button', { name: both }).getAttribute('aria-pressed')).toBe('true');
      await dialog.getByRole('button', { name: undo, exact: true }).click();
      await page.getByRole('main').getByText(done).waitFor();
      expect(readFileSync(file, 'utf8')).toMatch(/it was bought\.\n[\s\S]*The external API is late\./);
    },
  );

  it('says that there is no model while the composer is in use, once, until it is dismissed', async () => {
    const { page, browserErrors } = await openWeb(project, { hasModel: false });
    const hint = page.getByText(/^No AI model yet/);
    const howTo = page.getByRole('region', { name: 'Composer' }).getByRole('link', { name: 'Add a model' });
    const box = page.getByRole('textbox', { name: /A note/ });
    await box.waitFor();
    expect(await hint.count()).toBe(0);
    await box.fill(text);
    await hint.waitFor();
    expect(await howTo.count()).toBe(1);
    // The progress of an update that waits for a model says it instead.
    await page.keyboard.press('Control+Enter');
    await page.getByText('It will be filed once a model is set up').waitFor();
    await box.fill('Another note');
    expect(await hint.count()).toBe(0);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await hint.waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await hint.waitFor({ state: 'detached' });
    await page.reload();
    await box.click();
    await page.keyboard.press('End');
    await expect.poll(() => box.inputValue()).toBe('Another note');
    expect(await hint.count()).toBe(0);
    expect(browserErrors).toEqual([]);
  });

  it('shows the steps of the agent live', async () => {
    const { page, server } = await openWeb(project);
    const { promise, resolve } = Promise.withResolvers<void>();
    let requestCount = 0;
    server.model.respond(async () => {
      requestCount += 1;
      if (requestCount === 3) await promise;
      return filing[requestCount - 1] ?? { text: 'Done.' };
    });
    await page.getByRole('textbox', { name: /A note/ }).fill(text);
    await page.getByRole('button', { name: 'Add', exact: true }).last().click();
    await page.getByRole('link', { name: 'Show' }).click();
    await page.getByRole('main').getByText('external API', { exact: true }).waitFor();
    await page.getByRole('main').getByText('projects/startup-x/state.md').waitFor();
    await page.getByRole('main').getByText('Working…').waitFor();
    // A reload shows the same steps.
    await page.reload();
    await page.getByRole('main').getByText('external API', { exact: true }).waitFor();
    await page.getByRole('main').getByText('projects/startup-x/state.md').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    const strip = page.getByRole('region', { name: 'Composer' }).getByRole('status').first();
    await strip.getByText('Read projects/startup-x/state.md').waitFor();
    await strip.getByRole('link', { name: 'Show' }).click();
    resolve();
    await page.getByRole('main').getByText('Filed', { exact: true }).waitFor();
    expect(await page.getByRole('main').getByLabel('done').count()).toBe(5);
  });

  it('shows that it waits for an unavailable model, why, and when it is retried', async () => {
    const { page, server, browserErrors } = await openWeb(project);
    server.model.respond(() => ({
      fault: 'status',
      status: 503,
      headers: { 'retry-after-ms': '1' },
      body: 'busy',
    }));
    await page.getByRole('textbox', { name: /A note/ }).fill(text);
    await page.getByRole('button', { name: 'Add', exact: true }).last().click();
    await page.getByRole('link', { name: 'Show' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'returned HTTP 503 (busy)' });
    await notice.getByText('Waiting for the model').waitFor();
    await notice.getByText(/^Next attempt at .*\d:\d\d:\d\d/).waitFor();
    expect(browserErrors).toEqual([]);
  });

  it('asks in the inbox if the note is ambiguous, and continues once the user answers', async () => {
    const { page, server, browserErrors } = await openWeb(project);
    const review =
      '# A call\n\n## What came in\nA call went well.\n\n## What I propose\nstartup-x.\n\n## Question\nIs it startup-x?\n';
    server.model.script(
      {
        calls: [
          { tool: 'write', input: { path: 'vault/inbox/2025-07-14-call/review.md', content: review } },
          entry('A call to place'),
        ],
      },
      { text: 'Asked which project.' },
    );
    await page.getByRole('textbox', { name: /A note/ }).fill('The call went well.');
    await page.keyboard.press('Control+Enter');
    await page.getByLabel('1 item needs your attention').first().waitFor();
    await expect.poll(() => page.evaluate('document.title.startsWith("(1) ")')).toBe(true);
    await page.getByRole('navigation').getByRole('link', { name: /Inbox/ }).click();
    await page.getByText('Is it startup-x?').waitFor();
    await saveScreenshot(page, 'inbox');
    const turns: Turn[] = [
      {
        calls: [
          { tool: 'append', input: { path: state, content: 'The call went well.', position: 'bottom' } },
          entry('The call'),
        ],
      },
      { text: 'Filed the call in startup-x.' },
    ];
    const { promise, resolve } = Promise.withResolvers<void>();
    server.model.respond(async () => {
      await promise;
      return turns.shift() ?? { text: 'Done.' };
    });
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Yes, startup-x.');
    await page.getByRole('button', { name: 'Send answer' }).click();
    // Until the answer is filed, the item says so and cannot be answered twice.
    await page.getByText('Filing your answer…').waitFor();
    await page.reload();
    await page.getByText('Filing your answer…').waitFor();
    await saveScreenshot(page, 'inbox-answered');
    expect(await page.getByRole('button', { name: 'Send answer' }).count()).toBe(0);
    resolve();
    await page.getByText('Nothing needs your attention').waitFor();
    await expect.poll(() => page.evaluate('document.title === "Inbox · Keepsake"')).toBe(true);
    expect(readFileSync(join(server.folder, 'projects/startup-x/state.md'), 'utf8')).toContain(
      'The call went well.',
    );
    expect(browserErrors).toEqual([]);
  });

  it('answers proposals of tidying with a yes or no each', async () => {
    const tasks = '# Paint the garden fence\n\n# Paint the fence of the garden\n\n# Order terrace tiles\n';
    const { page, server, browserErrors } = await openWeb(
      {
        'projects/house/tasks.md': tasks,
        'projects/house/changelog.md': '# 2026-11-10\n\n## Terrace tiles: order placed\n',
      },
      { path: '/inbox' },
    );
    const line = (name: string, number: number, words: string) => ({
      path: `vault/projects/house/${name}.md`,
      line: number,
      text: words,
    });
    const proposals = [
      {
        kind: 'duplicate',
        lines: [
          line('tasks', 3, '# Paint the fence of the garden'),
          line('tasks', 1, '# Paint the garden fence'),
        ],
      },
      {
        kind: 'done',
        lines: [
          line('tasks', 5, '# Order terrace tiles'),
          line('changelog', 3, '## Terrace tiles: order placed'),
        ],
      },
    ];
    server.model.script({ calls: [{ tool: 'propose', input: { proposals } }] });
    await server.keepsake.agents.tidy(new AbortController().signal);
    const first = page.getByRole('group', { name: 'Proposal 1' });
    await first.getByRole('button', { name: 'No' }).click();
    await page.getByRole('group', { name: 'Proposal 2' }).getByRole('button', { name: 'No' }).click();
    await saveScreenshot(page, 'inbox-proposals');
    await page.getByRole('button', { name: 'Send answers' }).click();
    await page.getByText('Nothing needs your attention').waitFor();
    expect(readFileSync(join(server.folder, 'projects/house/tasks.md'), 'utf8')).toContain('# Order terrace');
    expect(browserErrors).toEqual([]);
  });

  it('is held if it would remove too much, and is applied when the user approves', async () => {
    const lines = Array.from({ length: 700 }, (_, index) => `line ${index}`).join('\n');
    const { page, server } = await openWeb({ ...project, 'projects/startup-x/long.md': `${lines}\n` });
    server.model.script(
      {
        calls: [
          { tool: 'read', input: { paths: 'vault/projects/startup-x/long.md' } },
          {
            tool: 'write',
            input: { path: 'vault/projects/startup-x/long.md', content: 'short now\n', replace: true },
          },
          entry('Shortened'),
        ],
      },
      { text: 'Shortened the long file.' },
    );
    await page.getByRole('textbox', { name: /A note/ }).fill('Shorten it.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Needs approval', { exact: true }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: /Inbox/ }).click();
    await page.getByText('Needs your approval').waitFor();
    // A long diff is shown in steps.
    await page.getByRole('button', { name: /^Show [\d,]+ more lines$/ }).waitFor();
    expect(await page.evaluate(`document.querySelectorAll('#main *').length`)).toBeLessThan(2_500);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Nothing needs your attention').waitFor();
    const file = join(server.folder, 'projects/startup-x/long.md');
    expect(readFileSync(file, 'utf8')).toContain('short now');
    // An approved change can be undone like any other.
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByText('Undone').first().waitFor();
    expect(readFileSync(file, 'utf8')).toContain('line 699');
  });
});
