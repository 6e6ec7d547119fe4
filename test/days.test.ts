import { describe, expect, it } from 'vitest';
import { isDay } from '../packages/vault/src/contract/index.ts';
import { httpVault } from './http/http-vault.ts';
import { roomVault } from './room-vault.ts';
import { runCommand } from './run-command.ts';

describe('a day', () => {
  it('is one that the calendar has', () => {
    const days = ['2025-02-28', '2024-02-29', '2025-12-31', '0001-01-01'];
    const others = ['2025-02-29', '2025-02-30', '2025-04-31', '2025-13-01', '2025-00-10', '2025-01-00'];
    const forms = ['2025-2-3', '20250203', '2025-02-03T10:00', ' 2025-02-03', 'yesterday', ''];
    expect([...days, ...others, ...forms].filter(isDay)).toEqual(days);
  });

  it.each([
    ['find', 'x', '--from'],
    ['find', 'x', '--to'],
    ['find', 'x', '--as-of'],
    ['ask', 'x', '--as-of'],
    ['today', '--day'],
  ])('that does not exist is refused by keepsake %s %s', async (...args) => {
    const { code, err } = await runCommand([...args, '2025-02-30']);
    expect([code, err]).toEqual([2, expect.stringContaining('The date 2025-02-30 does not exist.')]);
    const other = await runCommand([...args, 'yesterday']);
    expect([other.code, other.err]).toEqual([
      2,
      expect.stringContaining('Must be a day such as 2026-07-14.'),
    ]);
  });

  it('that does not exist is refused by tools', async () => {
    const vault = await roomVault({ 'a.md': 'x\n' });
    expect(await vault.call('today', { day: '2025-02-30' })).toEqual({
      kind: 'refused',
      message: 'error: today.day: the date 2025-02-30 does not exist',
    });
  });

  it('that does not exist is refused by every route with a day', async () => {
    const vault = await httpVault({ 'a.md': 'x\n' });
    const wrong = '2025-02-30';
    const responses = [
      await vault.send('/search', { json: { queries: ['x'], dateFrom: wrong } }),
      await vault.send('/search', { json: { queries: ['x'], dateTo: wrong } }),
      await vault.send(`/today?day=${wrong}`),
      await vault.send(`/days?from=${wrong}&to=2025-03-01`),
      await vault.send(`/history?day=${wrong}`),
    ];
    for (const response of responses) {
      expect(response.status).toBe(422);
      expect(JSON.stringify(await response.json())).toContain(`the date ${wrong} does not exist`);
    }
  });
});
