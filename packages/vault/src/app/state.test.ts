import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { resolveRoot } from '../vault/index.ts';
import { readEnvironment } from './environment.ts';
import { createState } from './state.ts';
import type { State } from './state.ts';

function setUp(): { state: State; home: string } {
  const place = temporaryFolder();
  const [vault, home] = [join(place, 'vault'), join(place, 'state')];
  mkdirSync(vault);
  const environment = readEnvironment({ XDG_STATE_HOME: home });
  const state = createState(resolveRoot(vault), undefined, environment);
  onTestFinished(() => state.close());
  return { state, home };
}

describe('the state of a vault', () => {
  it('creates its databases on first use', () => {
    const { state } = setUp();
    expect(state.hasDurable()).toBe(false);
    expect(existsSync(state.folder())).toBe(false);
    expect(state.databases().durable.open).toBe(true);
    expect(state.hasDurable()).toBe(true);
  });

  it('is accessible only to its owner', () => {
    const { state } = setUp();
    state.databases();
    expect(statSync(state.folder()).mode & 0o777).toBe(0o700);
    expect(statSync(state.ensureAdopted()).mode & 0o777).toBe(0o700);
  });

  it('moves to another folder when the vault is adopted, closing its databases and recreating derived values', () => {
    const { state } = setUp();
    const made = state.derive(({ folder }) => ({ folder }));
    expect(made.peek()).toBeNull();
    const [before, old] = [made.get(), state.databases()];
    expect(made.get()).toBe(before);
    const adopted = state.ensureAdopted();
    expect(made.get().folder).toBe(adopted);
    expect(before.folder).not.toBe(adopted);
    expect([old.durable.open, old.locks.open]).toEqual([false, false]);
  });

  it('opens nothing after it is closed, so that a late request leaves no files behind', () => {
    const { state, home } = setUp();
    const made = state.derive(({ durable }) => durable);
    const durable = made.get();
    void state.close();
    expect(durable.open).toBe(false);
    rmSync(home, { recursive: true });
    expect(() => made.get()).toThrow('the vault is closed');
    expect(made.peek()).toBeNull();
    expect(existsSync(home)).toBe(false);
  });
});
