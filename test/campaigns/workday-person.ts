import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { isOnDisk } from './workday-oracle.ts';
import type { Ledger } from './workday-oracle.ts';
import {
  appears,
  attempt,
  chooseFromMenu,
  clearMessages,
  editor,
  hasMessage,
  messages,
  openMenu,
  openNote,
  openPalette,
  send,
  undoInMessage,
  until,
  visit,
} from './workday-pages.ts';
import type { Tab } from './workday-pages.ts';

export type Person = {
  vault: string;
  ledger: Ledger;
  random: () => number;
  /** What was done, and how often. */
  counts: Record<string, number>;
  /** The tokens of each note that only this user writes to, and may delete. */
  own: Map<string, string[]>;
  /** For unique names. */
  number: number;
};

type Act = (person: Person, tab: Tab) => Promise<void>;

const count = ({ counts }: Person, what: string): void => void (counts[what] = (counts[what] ?? 0) + 1);
const chance = ({ random }: Person, probability: number): boolean => random() < probability;
const exists = ({ vault }: Person, path: string): boolean => existsSync(join(vault, path));

function pick<Item>({ random }: Person, all: readonly Item[]): Item {
  const item = all[Math.floor(random() * all.length)];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}

function notesIn({ vault }: Person, folder: string): string[] {
  const names = readdirSync(join(vault, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => `${folder}/${name}`);
}

async function expectKept({ vault, ledger }: Person, token: string, how: string): Promise<void> {
  ledger.expect(token, 'kept');
  // Another program may be in the middle of writing the file.
  const deadline = performance.now() + 5_000;
  while (!isOnDisk(vault, token)) {
    if (performance.now() > deadline) throw new Error(`${token} was ${how}, but is not in the vault once`);
    await sleep(50);
  }
}

const write: Act = async (person, tab) => {
  const { ledger, own } = person;
  const [notes, fixed] = [notesIn(person, 'notes'), notesIn(person, 'fixed')];
  const path = pick(person, [...notes, ...notes, ...fixed, ...own.keys(), 'tasks.md']);
  await openNote(tab, path);
  const token = ledger.mint();
  await tab.page.getByRole('button', { name: tab.words.edit, exact: true }).click();
  await editor(tab).click();
  // Other programs append here, too.
  const key = path === 'tasks.md' || chance(person, 0.3) ? 'Control+End' : 'Control+Home';
  await tab.page.keyboard.press(key);
  await tab.page.keyboard.type(
    key === 'Control+End' ? `\n${token} was written at the end.\n` : `${token} was written at the start.\n\n`,
  );
  if (chance(person, 0.25)) await interrupt(person, tab, { path, token, key });
  await save(person, tab, token);
  own.get(path)?.push(token);
  if (chance(person, 0.35)) await undoWriting(person, tab, token);
};

/** Leaves the editor or reloads the page. The text must still be there. */
async function interrupt(
  person: Person,
  tab: Tab,
  { path, token, key }: { path: string; token: string; key: string },
): Promise<void> {
  count(person, 'interruptions');
  if (chance(person, 0.5)) {
    await visit(tab, pick(person, ['inbox', 'tasks', 'activity', 'home']));
    await openNote(tab, path);
  } else {
    // A reload fails while the server is stopped.
    await tab.page.reload().catch(() => undefined);
    const isBack = async (): Promise<boolean> => (await editor(tab).count()) > 0;
    await until('reloading', isBack, () => tab.page.goto(tab.page.url()));
  }
  // The editor draws only the lines in view.
  await editor(tab).press(key);
  await tab.page.locator('.cm-content').getByText(token).first().waitFor();
}

async function save(person: Person, tab: Tab, token: string): Promise<void> {
  const { page, words } = tab;
  const isRead = (): Promise<boolean> => page.getByRole('article').getByText(token).first().isVisible();
  const merge = page.getByRole('button', { name: words.saveMerged });
  await until('saving', isRead, async () => {
    if (await merge.isVisible()) {
      count(person, 'conflicts');
      await merge.click(attempt);
    } else await editor(tab).press('Control+s', attempt);
  });
  await expectKept(person, token, 'saved');
}

/** Undoes the change that inserted the token: the newest one of the note that shows it. */
async function undoWriting(person: Person, tab: Tab, token: string): Promise<void> {
  const { page, words } = tab;
  await page.getByRole('button', { name: words.history, exact: true }).click();
  const entries = page.getByRole('main').locator('ol > li');
  await entries.first().waitFor();
  for (let index = 0; index < Math.min(4, await entries.count()); index += 1) {
    const entry = entries.nth(index);
    const toggle = entry.locator('button[aria-expanded]').first();
    if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
    if (!(await appears(entry.getByText(token), 4_000))) continue;
    await clearMessages(tab);
    await entry.getByRole('button', { name: words.undo, exact: true }).click();
    return followUndo(person, tab, token);
  }
  count(person, 'changes not found in the history');
}

async function followUndo(person: Person, tab: Tab, token: string): Promise<void> {
  const { ledger } = person;
  const { page, words } = tab;
  const dialog = page.getByRole('dialog', { name: words.undoConflict });
  const done = messages(tab).getByText(words.undone);
  ledger.expect(token, 'uncertain');
  if (!(await appears(done.or(dialog), 20_000))) return count(person, 'lost responses');
  if (await dialog.isVisible()) {
    count(person, 'undo conflicts');
    await dialog.getByRole('button', { name: words.keepCurrent }).click();
    await dialog.getByRole('button', { name: words.undo, exact: true }).click();
    return done.first().waitFor();
  }
  count(person, 'undone edits');
  ledger.expect(token, 'undone');
  if (!chance(person, 0.4)) return;
  ledger.expect(token, 'uncertain');
  if (!(await undoInMessage(tab, words.redone))) return;
  count(person, 'redone edits');
  await expectKept(person, token, 'restored');
}

const create: Act = async (person, tab) => {
  const { page, words } = tab;
  const path = `own/diary-${(person.number += 1)}.md`;
  const menu = await openMenu(tab);
  await menu.getByRole('button', { name: words.newNote }).first().click();
  const field = page.getByRole('dialog').getByRole('textbox', { name: words.name });
  await field.fill(path.replace('.md', ''));
  await until(
    'creating a note',
    () => exists(person, path),
    () => field.press('Enter', attempt),
  );
  const isOpen = page.waitForURL((url) => url.pathname === `/file/${path}`, { timeout: 20_000 });
  await isOpen.catch(async () => {
    // The response was lost.
    count(person, 'lost responses');
    await page.keyboard.press('Escape');
    await openNote(tab, path);
    await page.getByRole('button', { name: words.edit, exact: true }).click();
  });
  const token = person.ledger.mint();
  await editor(tab).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(`${token} begins this note.`);
  await save(person, tab, token);
  person.own.set(path, [token]);
};

const remove: Act = async (person, tab) => {
  const { ledger, own } = person;
  const { page, words } = tab;
  const [path] = own.keys();
  if (path === undefined) return create(person, tab);
  await openNote(tab, path);
  const tokens = (own.get(path) ?? []).filter((token) => ledger.fateOf(token) === 'kept');
  const dialog = await chooseFromMenu(tab, words.delete);
  await clearMessages(tab);
  const button = dialog.getByRole('button', { name: words.delete });
  await until(
    'deleting',
    () => !exists(person, path),
    () => button.click(attempt),
  );
  for (const token of tokens) ledger.expect(token, 'undone');
  if (!(await hasMessage(tab, basename(path)))) {
    count(person, 'lost responses');
    await page.keyboard.press('Escape');
  } else if (chance(person, 0.5)) {
    for (const token of tokens) ledger.expect(token, 'uncertain');
    if (await undoInMessage(tab)) {
      count(person, 'undone deletions');
      for (const token of tokens) await expectKept(person, token, 'restored');
      return;
    }
  }
  own.delete(path);
};

const rename: Act = async (person, tab) => {
  const { own } = person;
  const { page, words } = tab;
  const from = pick(person, [...notesIn(person, 'notes'), ...own.keys()]);
  const to = from.replace(/[^/]*$/, `renamed-${(person.number += 1)}.md`);
  const follow = (path: string, old: string): void => {
    const tokens = own.get(old);
    own.delete(old);
    if (tokens !== undefined) own.set(path, tokens);
  };
  await openNote(tab, from);
  const dialog = await chooseFromMenu(tab, words.rename);
  await dialog.getByRole('textbox', { name: words.newName }).fill(basename(to));
  await clearMessages(tab);
  const button = dialog.getByRole('button', { name: words.rename });
  await until(
    'renaming',
    () => exists(person, to) && !exists(person, from),
    () => button.click(attempt),
  );
  follow(to, from);
  if (!(await hasMessage(tab, basename(to)))) {
    count(person, 'lost responses');
    await page.keyboard.press('Escape');
  } else if (chance(person, 0.3)) {
    if (await undoInMessage(tab)) count(person, 'undone renames');
    if (exists(person, from)) follow(from, to);
  }
};

const tick: Act = async (person, tab) => {
  const { ledger } = person;
  const { page, words } = tab;
  const open = ledger.tokensOf('open');
  if (open.length === 0) return;
  const token = new RegExp(String.raw`${pick(person, open)}\b`);
  let box: Locator;
  if (chance(person, 0.6)) {
    await visit(tab, 'tasks');
    box = page.getByRole('checkbox', { name: token });
  } else {
    await openNote(tab, 'tasks.md');
    // If its history was open, it still is.
    await page.getByRole('button', { name: words.read, exact: true }).click();
    const items = page.getByRole('article').locator('li');
    await items.first().waitFor();
    box = items.filter({ hasText: token }).getByRole('checkbox');
    // It is in the other list.
    if ((await box.count()) === 0) return tick(person, tab);
  }
  const name = token.source.replace(String.raw`\b`, '');
  await clearMessages(tab);
  await box.first().waitFor();
  ledger.expect(name, 'task');
  await box.first().click();
  // The task may be changed elsewhere, or the response be lost.
  if (!(await hasMessage(tab, words.taskDone))) return count(person, 'refused tasks');
  ledger.expect(name, 'done');
  if (!chance(person, 0.35)) return;
  ledger.expect(name, 'task');
  if (!(await undoInMessage(tab))) return;
  count(person, 'undone tasks');
  ledger.expect(name, 'open');
};

const answer: Act = async (person, tab) => {
  const { ledger, vault } = person;
  const { page, words } = tab;
  await visit(tab, 'inbox');
  const cards = page.getByRole('main').getByRole('region');
  const first = cards.filter({ has: page.getByRole('textbox') }).first();
  if (!(await appears(first, 5_000))) return count(person, 'empty inboxes');
  const name = (await first.getAttribute('aria-label')) ?? '';
  const field = page.getByRole('region', { name, exact: true }).getByRole('textbox');
  const token = ledger.mint();
  await field.fill(`It belongs to the roof, says ${token}.`);
  await clearMessages(tab);
  await until(
    'answering',
    async () => (await field.count()) === 0,
    () => field.press('Control+Enter', attempt),
  );
  ledger.expect(token, 'uncertain');
  if (!(await hasMessage(tab, words.answered))) {
    // The response was lost, or another tab had answered the question. The text is then still on the page.
    count(person, 'lost responses');
    const isShown = async (): Promise<boolean> =>
      isOnDisk(vault, token) || (await page.getByRole('main').getByText(token).count()) > 0;
    return until(`showing the answer ${token}`, isShown, () => Promise.resolve());
  }
  ledger.expect(token, 'kept');
  const undo = messages(tab).getByRole('button', { name: words.undo });
  if (!chance(person, 0.25) || (await undo.count()) === 0) return;
  ledger.expect(token, 'uncertain');
  if (!(await undoInMessage(tab))) return;
  count(person, 'undone answers');
  ledger.expect(token, 'withdrawn');
};

const capture: Act = async (person, tab) => {
  await visit(tab, pick(person, ['home', 'activity']));
  const token = person.ledger.mint();
  await send(tab, tab.words.add, `The ladder is in the shed, says ${token}.`);
  person.ledger.expect(token, 'kept');
};

const ask: Act = async (person, tab) => {
  const main = tab.page.getByRole('main');
  await visit(tab, 'answers');
  await send(tab, tab.words.ask, `What about the roof, question ${(person.number += 1)}?`);
  await tab.page.waitForURL((url) => url.pathname.startsWith('/answers/'));
  const again = main.getByRole('button', { name: tab.words.again });
  await until(
    'answering a question',
    async () => (await main.getByText('The roof leaks.').count()) > 0,
    async () => ((await again.count()) > 0 ? again.first().click(attempt) : undefined),
  );
};

const search: Act = async (person, tab) => {
  const { vault, ledger } = person;
  // The last ones may not be filed yet.
  const known = ledger.tokensOf('kept').slice(0, -5);
  const token = known.length === 0 ? null : pick(person, known);
  if (token === null || !isOnDisk(vault, token)) return;
  const input = await openPalette(tab, token);
  const rows = tab.page.getByRole('option').filter({ hasText: token });
  const found = rows.filter({ hasText: '.md' }).first();
  await until(
    `searching ${token}`,
    () => found.isVisible(),
    async () => {
      await input.fill('');
      await input.fill(token);
    },
  );
  await found.click();
  await tab.page.getByRole('main').getByText(token).first().waitFor();
};

const browse: Act = (person, tab) =>
  visit(tab, pick(person, ['home', 'inbox', 'tasks', 'calendar', 'tags', 'answers', 'activity', 'settings']));

const actions = { write, create, remove, rename, tick, answer, capture, ask, search, browse };

/** How often each action occurs. */
const order = [
  ...(['write', 'write', 'write', 'write', 'tick', 'tick', 'tick', 'search', 'search'] as const),
  ...(['rename', 'create', 'remove', 'answer', 'answer', 'capture', 'ask', 'browse', 'browse'] as const),
];

/** Performs one random action in this tab, and returns its name. Throws if it does not succeed. */
export async function actOnce(person: Person, tab: Tab): Promise<string> {
  const name = pick(person, order);
  await tab.page.bringToFront();
  await actions[name](person, tab).catch((error: unknown) => {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  });
  count(person, name);
  return name;
}
