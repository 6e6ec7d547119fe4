import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { Words } from './workday-words.ts';

export type Tab = { name: string; page: Page; words: Words; isPhone: boolean };

/** Timeout in milliseconds of what the user waits for; long, because the server is restarted and the machine may be busy. */
export const timeoutMs = 90_000;
/** Timeout in milliseconds of a message about an action. Without one, the response was lost, or the action failed. */
const messageTimeoutMs = 20_000;
/** Timeout in milliseconds of an attempt that is repeated. */
export const attempt = { timeout: 2_000 };

/** Repeats an action, as a user would, until it succeeds. */
export async function until(
  what: string,
  isDone: () => Promise<boolean> | boolean,
  act: () => Promise<unknown>,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`${what} never succeeded`);
    // The next attempt may succeed.
    await act().catch(() => undefined);
    for (let wait = 0; wait < 30 && !(await isDone()); wait += 1) await sleep(100);
  }
}

/** Whether the element appears in time. */
export function appears(element: Locator, timeout: number): Promise<boolean> {
  return element
    .first()
    .waitFor({ timeout })
    .then(
      () => true,
      () => false,
    );
}

export const messages = ({ page }: Tab): Locator => page.locator('[role=status][aria-live=polite]');

/** Closes the messages about earlier actions. */
export async function clearMessages(tab: Tab): Promise<void> {
  const close = messages(tab).getByRole('button', { name: tab.words.close });
  const isClear = async (): Promise<boolean> => (await close.count()) === 0;
  await until('closing messages', isClear, () => close.first().click(attempt));
}

/** Whether a message with this text appears. */
export function hasMessage(tab: Tab, text: string | RegExp): Promise<boolean> {
  return appears(messages(tab).getByText(text), messageTimeoutMs);
}

/** Clicks the undo button of the latest message. Whether the message that it was undone appears. */
export async function undoInMessage(tab: Tab, done = tab.words.undone): Promise<boolean> {
  await messages(tab).getByRole('button', { name: tab.words.undo }).last().click();
  return hasMessage(tab, done);
}

/** The menu, which is opened first on a phone. */
export async function openMenu({ page, words, isPhone }: Tab): Promise<Locator> {
  if (!isPhone) return page.getByRole('navigation', { name: words.vault });
  const menu = page.getByRole('dialog');
  // While the server is stopped, it may not be loaded, and does not open by itself later.
  await until(
    'opening the menu',
    () => menu.isVisible(),
    () => page.getByRole('button', { name: words.menu }).click(attempt),
  );
  return menu;
}

/** Opens a page of the menu. */
export async function visit(tab: Tab, place: keyof Words['places']): Promise<void> {
  const { page, words, isPhone } = tab;
  const menu = await openMenu(tab);
  await menu.getByRole('link', { name: new RegExp(`^${words.places[place]}`) }).click();
  await page.waitForURL((url) => url.pathname === (place === 'home' ? '/' : `/${place}`));
  if (isPhone) await menu.waitFor({ state: 'detached' });
}

/** Opens the palette with this text. */
export async function openPalette({ page, words, isPhone }: Tab, typed: string): Promise<Locator> {
  const input = page.getByRole('dialog').getByRole('combobox');
  // While the server is stopped, it may not be loaded, and does not open by itself later.
  await until(
    'opening the palette',
    () => input.isVisible(),
    () =>
      isPhone
        ? page.getByRole('button', { name: words.search }).click(attempt)
        : page.keyboard.press('Control+k'),
  );
  await input.fill(typed);
  return input;
}

export async function openNote(tab: Tab, path: string): Promise<void> {
  const name = basename(path);
  await openPalette(tab, name.replace('.md', ''));
  const option = tab.page.getByRole('option', {
    name: new RegExp(String.raw`(?:^|[\s/])${name.replace('.', String.raw`\.`)}`),
  });
  await option.first().click();
  await tab.page.waitForURL((url) => url.pathname === `/file/${path}`);
}

export const editor = ({ page, words }: Tab): Locator => page.getByRole('textbox', { name: words.editor });

/** Chooses an action for the open note, and returns its dialog. */
export async function chooseFromMenu({ page, words }: Tab, item: string): Promise<Locator> {
  await page.getByRole('button', { name: words.more }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click();
  return page.getByRole('dialog');
}

/** Sends a text in the composer. */
export async function send({ page, words }: Tab, mode: string, text: string): Promise<void> {
  const composer = page.getByRole('region', { name: words.composer });
  const box = composer.getByRole('textbox');
  await box.click();
  await composer.getByRole('button', { name: mode, exact: true }).first().click();
  await box.fill(text);
  // The page of an answer has no composer.
  const isSent = (): Promise<boolean> =>
    box.evaluateAll((boxes) => boxes.every((each) => (each as unknown as { value: string }).value === ''));
  await until('sending', isSent, () => box.press('Control+Enter', attempt));
}
