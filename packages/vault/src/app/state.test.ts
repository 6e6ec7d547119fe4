import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { openRoot } from '../vault/index.ts';
import { readEnvironment } from './environment.ts';
import { createState } from './state.ts';
import type { State } from './state.ts';

function setUp(): { state: State; home: string } {
  const place = temporaryFolder();
  const [vault, home] = [join(place, 'vault'), join(place, 'state')];
  mkdirSync(vault);
  const environment = readEnvironment({ XDG_STATE_HOME: home });
  const state = createState(openRoot(vault), undefined, environment);
  onTestFinished(() => state.close());
  return { state, home };
}

describe('the state of a vault', () => {
  it('has no databases until somebody needs them', () => {
    const { state } = setUp();
    expect(state.hasDurable()).toBe(false);
    expect(existsSync(state.folder())).toBe(false);
    expect(state.databases().durable.open).toBe(true);
    expect(state.hasDurable()).toBe(true);
  });

  it('can be opened by its owner alone', () => {
    const { state } = setUp();
    state.databases();
    expect(statSync(state.folder()).mode & 0o777).toBe(0o700);
    expect(statSync(state.adopt()).mode & 0o777).toBe(0o700);
  });

  it('moves with the first write: what is made from its databases is made anew, the old ones are closed', () => {
    const { state } = setUp();
    const made = state.follow(({ folder }) => ({ folder }));
    expect(made.present()).toBeNull();
    const [before, old] = [made.open(), state.databases()];
    expect(made.open()).toBe(before);
    const adopted = state.adopt();
    expect(made.open().folder).toBe(adopted);
    expect(before.folder).not.toBe(adopted);
    expect([old.durable.open, old.locks.open]).toEqual([false, false]);
  });

  it('opens nothing any more once it is closed, so that a late request leaves nothing behind', () => {
    const { state, home } = setUp();
    const made = state.follow(({ durable }) => durable);
    const durable = made.open();
    state.close();
    expect(durable.open).toBe(false);
    rmSync(home, { recursive: true });
    expect(() => made.open()).toThrow('the vault is closed');
    expect(made.present()).toBeNull();
    expect(existsSync(home)).toBe(false);
  });
});
