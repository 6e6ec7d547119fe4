import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

type Options = { pages: readonly Page[]; vault: string; random: () => number; timeoutMs: number };

export type Person = {
  /** Performs one action after the other until `isOver` returns true. Returns what went wrong. */
  goOn: (isOver: () => boolean) => Promise<string[]>;
  sendAllThatIsBegun: () => Promise<string[]>;
  /** The marks of everything that was sent or saved, and that therefore has to be in the vault. */
  marks: () => readonly string[];
  summary: () => string;
};

/** Simulates a user who uses tabs at random and retries what failed. Each text that is typed has a unique mark. */
export function createPerson({ pages, vault, random, timeoutMs }: Options): Person {
  const marks: string[] = [];
  const counts = { noted: 0, asked: 0, edited: 0, answered: 0 };
  /** The unsent text in the composer of each tab. */
  const begun = new Map<number, string>();
  let number = 0;
  const newMark = (): string => `mark-${(number += 1)}-end`;
  const composer = (page: Page): Locator => page.getByRole('region', { name: 'Composer' });
  const box = (page: Page): Locator => composer(page).getByRole('textbox');
  const openNote = async (page: Page, tab: number): Promise<void> => {
    const name = `note-${tab}.md`;
    await page.getByRole('treeitem', { name, exact: false }).first().click();
    await page.waitForURL(`**/file/${name}`);
  };
  const choose = (page: Page, mode: string): Promise<void> =>
    composer(page).getByRole('button', { name: mode, exact: true }).first().click();

  /** Repeats an action, as a user would, until it succeeds. */
  const until = async (what: string, isDone: () => Promise<boolean>, act: () => Promise<void>) => {
    const deadline = performance.now() + timeoutMs;
    while (!(await isDone())) {
      if (performance.now() > deadline) throw new Error(`${what} never succeeded`);
      await act();
      for (let wait = 0; wait < 20 && !(await isDone()); wait += 1) await sleep(100);
    }
  };

  const begin = async (page: Page, tab: number): Promise<void> => {
    await choose(page, 'Add');
    const mark = newMark();
    begun.set(tab, `${begun.get(tab) ?? ''}${mark} `);
    await box(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(`${mark} `);
  };
  const file = async (page: Page, tab: number): Promise<void> => {
    const typed = begun.get(tab);
    if (typed === undefined) return begin(page, tab);
    await choose(page, 'Add');
    const found = await box(page).inputValue();
    if (found !== typed)
      throw new Error(`the text typed in tab ${tab} is lost: “${found}” instead of “${typed}”`);
    const isSent = async (): Promise<boolean> => (await box(page).inputValue()) === '';
    await until('a note', isSent, () => box(page).press('Control+Enter'));
    marks.push(...typed.trim().split(' '));
    begun.delete(tab);
    counts.noted += 1;
  };
  const ask = async (page: Page, tab: number): Promise<void> => {
    // Unsent text would become part of the question.
    if (begun.has(tab)) return file(page, tab);
    await choose(page, 'Ask');
    const mark = newMark();
    await box(page).fill(`What of the roof, ${mark}?`);
    await until(
      'a question',
      () => isEmptyOrGone(box(page)),
      () => send(box(page)),
    );
    await page.getByRole('main').getByText(mark).first().waitFor();
    const isAnswered = async (): Promise<boolean> =>
      (await page.getByRole('main').getByText('The roof leaks.').count()) > 0;
    await until('an answer', isAnswered, async () => {
      const again = page.getByRole('main').getByRole('button', { name: 'Ask again' });
      if ((await again.count()) > 0) await again.first().click();
    });
    counts.asked += 1;
    // The page of an answer has no composer.
    await openNote(page, tab);
  };
  const edit = async (page: Page, tab: number): Promise<void> => {
    const name = `note-${tab}.md`;
    await openNote(page, tab);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const text = page.getByRole('textbox', { name: 'Editor' });
    await text.click();
    await page.keyboard.press('Control+End');
    const mark = newMark();
    await page.keyboard.type(`\n${mark}\n`);
    const isSaved = (): Promise<boolean> =>
      Promise.resolve(readFileSync(join(vault, name), 'utf8').includes(mark));
    await until(`an edit of ${name}`, isSaved, async () => {
      if (await text.isVisible()) await text.press('Control+s');
    });
    marks.push(mark);
    counts.edited += 1;
    // The edit was saved, but the response may have been lost. Saving again then causes a conflict with the same edit.
    const isRead = (): Promise<boolean> => page.getByRole('article').getByText(mark).isVisible();
    await until(`the text of ${name}`, isRead, async () => {
      const save = page.getByRole('main').getByRole('button', { name: /^Save/ });
      if ((await save.count()) > 0 && (await save.first().isEnabled())) await save.first().click();
    });
  };
  const answer = async (page: Page, tab: number): Promise<void> => {
    await page.getByRole('navigation').getByRole('link', { name: /Inbox/ }).click();
    await page.waitForURL('**/inbox');
    const item = page.getByRole('region', { name: `2026-07-14-call-${tab}` });
    await page.getByRole('main').getByRole('region').first().waitFor();
    const field = item.getByRole('textbox');
    if ((await field.count()) === 0) return;
    const mark = newMark();
    await field.fill(`Yes, ${mark}`);
    // The item may be replaced by a new question, or disappear meanwhile.
    await until(
      `the answer to call ${tab}`,
      () => isEmptyOrGone(field),
      () => send(field),
    );
    marks.push(mark);
    counts.answered += 1;
  };
  const actions = [begin, file, file, ask, edit, edit, answer];
  const attempt = async (act: (page: Page, tab: number) => Promise<void>, tab: number): Promise<string[]> => {
    const page = pages[tab];
    if (page === undefined) return [];
    await page.bringToFront();
    return act(page, tab).then(
      () => [],
      (error: unknown) => [`tab ${tab}, ${act.name}: ${String(error).slice(0, 600)}`],
    );
  };
  return {
    async goOn(isOver) {
      const problems: string[] = [];
      while (!isOver() && problems.length < 5) {
        const act = actions[Math.floor(random() * actions.length)] ?? begin;
        problems.push(...(await attempt(act, Math.floor(random() * pages.length))));
      }
      return problems;
    },
    async sendAllThatIsBegun() {
      const problems: string[] = [];
      for (const tab of begun.keys()) problems.push(...(await attempt(file, tab)));
      return problems;
    },
    marks: () => marks,
    summary: () =>
      `${counts.noted} notes sent, ${counts.asked} questions, ${counts.edited} edits, ${counts.answered} answers in the inbox`,
  };
}

/** How long a field may take that is perhaps not in the page anymore. */
const briefly = { timeout: 5_000 };

const isEmptyOrGone = (field: Locator): Promise<boolean> =>
  field.inputValue(briefly).then(
    (text) => text === '',
    () => true,
  );

const send = (field: Locator): Promise<void> => field.press('Control+Enter', briefly).catch(() => undefined);
