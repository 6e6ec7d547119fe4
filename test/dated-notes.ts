import { randomNumbers } from './random-numbers.ts';
import type { Files } from './temporary-vault.ts';

/** The lists of a day, with `path:line title` for each item, and the number of later items. */
export type ExpectedDay = Record<'overdue' | 'due' | 'appointments' | 'upcoming' | 'waiting', string[]> & {
  later: number;
};

type Form = { write: (title: string, day: string) => string[]; hasTime: boolean };

/** Every form in which a note can give a task a day. The title is in the first line. */
const forms: Form[] = [
  { write: (title, day) => [`- [ ] ${title} 📅 ${day}`], hasTime: false },
  { write: (title, day) => [`* [/] ${title} due:: ${day}`], hasTime: false },
  { write: (title, day) => [`  1. [ ] ${title} [due:: ${day}] ^block`], hasTime: false },
  { write: (title, day) => [`- [ ] ${title} @due(${day})`], hasTime: false },
  { write: (title, day) => [`> - [ ] ${title} ⏳ ${day} 🔁 every week`], hasTime: false },
  { write: (title, day) => [`## ${title}`, `deadline: ${day}`], hasTime: false },
  {
    write: (title, day) => [`# ${title}`, `status: à-faire | prio: haute | deadline: ${day}`],
    hasTime: false,
  },
  {
    write: (title, day) => [`# ${title}`, 'statut: en-cours | prio: basse', `échéance: ${day} 18:15`],
    hasTime: true,
  },
  { write: (title, day) => [`- [ ] ${title} 📅 ${day} 09:30`], hasTime: true },
];

/** Lines that must not be listed. */
const others = [
  '- [x] Finished 📅 2026-07-15 ✅ 2026-07-14',
  '- [-] Cancelled due:: 2026-07-15',
  '- [ ] Without a day',
  '```\n- [ ] In code 📅 2026-07-15\n```',
  'The invoice is due: soon, on 2026-07-15.',
  '## Closed\nstatus: done | deadline: 2026-07-15',
  '- 2026-07-01 10:00 A past appointment',
];

/** Days relative to 2026-07-15 and the list of a task without a time on that day. */
const days = [
  { day: '2026-07-01', list: 'overdue' },
  { day: '2026-07-14', list: 'overdue' },
  { day: '2026-07-15', list: 'due' },
  { day: '2026-07-16', list: 'upcoming' },
  { day: '2026-07-22', list: 'upcoming' },
  { day: '2026-07-23', list: 'later' },
] as const;

/** Notes with tasks in all forms, and the lists of 2026-07-15, known from how the notes were made. */
export function datedNotes(count: number, seed: number): { files: Files; expected: ExpectedDay } {
  const random = randomNumbers(seed);
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const expected: ExpectedDay = {
    overdue: [],
    due: [],
    appointments: [],
    upcoming: [],
    waiting: [],
    later: 0,
  };
  const files: Files = {};
  for (let index = 0; index < count; index += 1) {
    const path = `area ${index % 7}/note ${index}.md`;
    const lines = random() < 0.5 ? ['---', 'updated: 2025-01-01T10:00:00', 'due: 2026-07-15', '---'] : [];
    lines.push('Some words.', '');
    for (let item = 0; item < 4; item += 1) {
      const title = `Item ${index}-${item}`;
      const shown = `vault/${path}:${lines.length + 1} ${title}`;
      const kind = random();
      if (kind < 0.4) {
        const [{ write, hasTime }, { day, list }] = [pick(forms), pick(days)];
        lines.push(...write(title, day));
        if (list === 'later') expected.later += 1;
        else expected[hasTime && list !== 'overdue' ? 'appointments' : list].push(shown);
      } else if (kind < 0.5) {
        lines.push(...pick([[`- [w] ${title}`], [`# ${title}`, 'status: en-attente | prio: moyenne']]));
        expected.waiting.push(shown);
      } else if (kind < 0.6) {
        lines.push(`- 2026-07-${pick(['15', '18'])} 14:00 ${title}`);
        expected.appointments.push(shown);
      } else lines.push(...pick(others).split('\n'));
      lines.push('', 'More words.', '');
    }
    files[path] = `${lines.join(pick(['\n', '\r\n']))}\n`;
  }
  return { files, expected };
}
