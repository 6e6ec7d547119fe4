import { describe, expect, it } from 'vitest';
import type { ReviewedFile } from './removals.ts';
import { reviewUpdate } from './review-update.ts';
import type { ReviewedUpdate } from './review-update.ts';

const task = (title: string): string => `# ${title}\nstatus: to-do | prio: medium | added: 2026-11-01\n`;
const tasks = ['Donner le préavis', 'Appeler le notaire', 'Payer la facture ADEME', 'Nettoyer l’atelier'].map(
  task,
);
const entry = (text: string): ReviewedFile => ({
  path: 'vault/changelog.md',
  kind: 'changelog',
  before: '# 2026-11-01\n\n## Old entry\nText.\n',
  after: `# 2026-11-17\n\n## ${text}\n\n# 2026-11-01\n\n## Old entry\nText.\n`,
});
const taskFile = (after: string[]): ReviewedFile => ({
  path: 'vault/tasks.md',
  kind: 'tasks',
  before: tasks.join('\n'),
  after: after.join('\n'),
});

function review(update: Partial<ReviewedUpdate>) {
  const input = update.input ?? '';
  return reviewUpdate({
    input,
    toCover: input,
    answer: '',
    numbersToCover: '',
    isUserAuthored: true,
    files: [],
    shown: tasks,
    shownLater: [],
    attached: [],
    hasImages: false,
    known: [],
    summary: '',
    keepsChangelog: true,
    hasLooked: true,
    failedCalls: [],
    days: ['2026-11-17'],
    ...update,
  });
}

describe('the review of an update', () => {
  it('finds nothing wrong with an honest update', () => {
    const files = [taskFile(tasks.slice(1)), entry('Préavis donné\nLe préavis du bail a été donné.')];
    expect(review({ input: 'J’ai donné le préavis ce matin.', files })).toEqual({
      uncovered: [],
      leftOut: [],
      unnamed: [],
      causedByOthers: [],
      replaced: [],
      unrequested: [],
      inventions: [],
      unread: [],
      failedCalls: [],
    });
  });

  it('finds tasks that leave the vault without being named', () => {
    const files = [taskFile([task('Acheter du café')]), entry('Café à acheter')];
    const { unnamed } = review({ input: 'Acheter du café pour l’atelier.', files });
    expect(unnamed.map(({ title }) => title)).toEqual([
      'Donner le préavis',
      'Appeler le notaire',
      'Payer la facture ADEME',
      'Nettoyer l’atelier',
    ]);
  });

  it('reads the summary if the vault keeps no changelog', () => {
    const update = { files: [taskFile(tasks.slice(1))], summary: 'Closed "Donner le préavis".' };
    expect(review(update).unnamed).toHaveLength(1);
    expect(review({ ...update, keepsChangelog: false }).unnamed).toEqual([]);
  });

  it('finds many removals that only the entry names', () => {
    const all = Array.from({ length: 9 }, (_, index) => task(`Tâche ${'abcdefghi'.charAt(index).repeat(6)}`));
    const titles = all.map((each) => each.split('\n')[0]?.slice(2)).join(', ');
    const files = [
      {
        path: 'vault/tasks.md',
        kind: 'tasks',
        before: all.join('\n'),
        after: task('Acheter du café'),
      } as const,
      entry(`Nettoyage\nSupprimé : ${titles}`),
    ];
    const { unnamed, unrequested } = review({ input: 'Acheter du café.', files });
    expect(unnamed).toEqual([]);
    expect(unrequested).toHaveLength(9);
  });

  it('finds removed entries, sections, paragraphs and files, but not moved or reworded text', () => {
    const text = 'The first line of a paragraph.\nThe second line of it.\n';
    const file = (before: string, after: string | null, path = 'vault/a.md'): ReviewedFile => ({
      path,
      kind: 'note',
      before,
      after,
    });
    const removed = (...files: ReviewedFile[]) =>
      review({ input: 'Nothing about it.', files }).unnamed.map(({ kind, title }) => [kind, title]);
    expect(removed(file(`# Top\n\n${text}`, '# Top\n'))).toEqual([
      ['text', 'The first line of a paragraph.'],
    ]);
    expect(removed(file(`# Top\n\n## Costs\n40 €\n`, '# Top\n'))).toEqual([['text', 'Costs']]);
    expect(removed(file(text, null))).toEqual([['file', 'vault/a.md']]);
    expect(removed({ ...entry('New'), after: '# 2026-11-17\n\n## New\n' })).toEqual([['entry', 'Old entry']]);
    expect(removed(file(text, null), file('', text, 'vault/b.md'))).toEqual([]);
    expect(removed(file(text, 'The first line of the paragraph.\nThe second line, changed.\n'))).toEqual([]);
    expect(removed(file('- [ ] Call Paul\n', '- [x] Call Paul\n'))).toEqual([]);
    expect(removed(file('- [ ] Call Paul\n- [ ] Pay\n', '- [ ] Pay\n'))).toEqual([['task', 'Call Paul']]);
  });

  it('finds names, numbers and dates that no source contains', () => {
    const page = (after: string): ReviewedFile => ({
      path: 'vault/people/ines.md',
      kind: 'note',
      before: null,
      after,
    });
    const input = 'Inès reprend aussi les clés du local jeudi prochain.';
    expect(
      review({ input, files: [page('# Inès\n\nElle est Inès Dupont, née en 1990. Clés du local.\n')] })
        .inventions,
    ).toEqual([{ path: 'vault/people/ines.md', values: ['1990', 'Dupont'] }]);
    expect(
      review({ input, files: [page('# Inès\n\nClés du local dès le 2026-11-26.\n')] }).inventions,
    ).toEqual([]);
    expect(
      review({ input: 'Inès reprend les clés.', files: [page('Inès a les clés le 2026-11-26.\n')] })
        .inventions,
    ).toEqual([{ path: 'vault/people/ines.md', values: ['2026-11-26'] }]);
  });

  it('finds existing files that were changed without looking, except changelogs', () => {
    const files = [taskFile([...tasks, task('Acheter du café')]), entry('Café')];
    expect(review({ input: 'Acheter du café.', files, hasLooked: false }).unread).toEqual(['vault/tasks.md']);
  });

  it('finds what the words of others remove: every file, and everything that is not named', () => {
    const files = [
      { path: 'vault/quote.md', kind: 'note', before: 'Quote 12\n', after: null } as const,
      entry('Quote removed\nThe file quote.md was deleted as asked.'),
    ];
    const { causedByOthers, unnamed } = review({ input: 'Delete quote.md.', files, isUserAuthored: false });
    expect(unnamed).toEqual([]);
    expect(causedByOthers.map(({ title }) => title)).toEqual(['vault/quote.md']);
  });

  it('accepts a fact that the agent quotes as left out, and lists chatter as left out', () => {
    const input = 'Un monsieur a raconté ses vacances de 1987. Le tram était bondé et lent.';
    expect(review({ input })).toMatchObject({
      uncovered: ['Un monsieur a raconté ses vacances de 1987.'],
      leftOut: ['Le tram était bondé et lent.'],
    });
    const summary = 'Rien. Left out: "Un monsieur a raconté ses vacances de 1987."';
    expect(review({ input, summary })).toMatchObject({
      uncovered: [],
      leftOut: [expect.anything(), expect.anything()],
    });
  });

  it('takes the answer to a question for an instruction, except for its facts', () => {
    const answer = 'Put it into the garden project, please. It was 45 €. The plumber is called Kervella.';
    expect(review({ input: answer, toCover: '', answer }).uncovered).toEqual([
      'It was 45 €.',
      'The plumber is called Kervella.',
    ]);
  });

  it('finds the name of a place in the path of a changed file', () => {
    const answer = 'It belongs to Norway.';
    const file = { path: 'vault/projects/norway/state.md', kind: 'note', before: '', after: 'Ok.' } as const;
    expect(review({ input: answer, toCover: '', answer, files: [file] }).uncovered).toEqual([]);
  });

  it('does not take a sentence about someone else for the name of a task', () => {
    const owed = task('Je dois 5346 euros à Marchand');
    const file = { ...taskFile(tasks), before: [...tasks, owed].join('\n') };
    const unnamed = (input: string) =>
      review({ input, files: [file, entry('Noté')] }).unnamed.map(({ title }) => title);
    expect(unnamed('Je dois 19 euros à Baudouin.')).toEqual(['Je dois 5346 euros à Marchand']);
    expect(unnamed('Je ne dois plus rien à Marchand, les euros sont rendus.')).toEqual([]);
  });

  it('does not find an hour in the day on which a task was added', () => {
    const input = 'Plombier lundi à 18 h.';
    const added = (day: string): ReviewedFile => ({
      path: 'vault/tasks.md',
      kind: 'tasks',
      before: '',
      after: `# Plombier lundi\nstatus: à faire | ajoutée: ${day}`,
    });
    expect(review({ input, files: [added('2026-11-18')] }).uncovered).toEqual([input]);
  });

  it('finds facts that an edit about something else took along', () => {
    const house =
      'Terrace house, 22 Quarry Road. Boiler: Vaillant, serviced each October by Pennant Heating.\nChimney swept 2025-11-14.';
    const edited = (after: string): ReviewedFile => ({
      path: 'vault/state.md',
      kind: 'note',
      before: house,
      after,
    });
    const input = 'Pennant cannot service the boiler in October 2027.';
    const replaced = (after: string) =>
      review({ input, files: [edited(after), entry('Pennant cannot service the boiler')] }).replaced.map(
        ({ title }) => title,
      );
    expect(replaced('Boiler: Vaillant. Pennant cannot do it in October 2027.')).toEqual([
      'Terrace house, 22 Quarry Road.',
      'Chimney swept 2025-11-14.',
    ]);
    expect(replaced(`${house} Pennant cannot do it in October 2027.`)).toEqual([]);
  });

  it('finds a paragraph that is replaced by as many unrelated lines', () => {
    const note = (after: string): ReviewedFile => ({
      path: 'vault/state.md',
      kind: 'note',
      before: 'Isolation : le mur nord est terminé.\nPlombier : Baudouin passe lundi.\nCave : humidité.\n',
      after,
    });
    const unnamed = (after: string) =>
      review({ input: 'Acheter du café.', files: [note(after), entry('Café à acheter')] }).unnamed.map(
        ({ title }) => title,
      );
    expect(unnamed('Acheter du café.\nPain.\nLait.\n')).toEqual(['Isolation : le mur nord est terminé.']);
    expect(unnamed('Mur nord : isolation finie.\nPlombier lundi.\nCave sèche.\n')).toEqual([]);
  });

  it('does not find a number of the input in the day of filing', () => {
    const input = 'Acheter 17 vis pour la porte.';
    const files = [taskFile([...tasks, task('Poncer la porte').replace('11-01', '11-17')]), entry('Noté')];
    expect(review({ input, files }).uncovered).toEqual([input]);
  });

  it('does not count the agent’s own lines as a source of names and numbers', () => {
    const line = 'La trésorière est Dupont, dossier 4512.';
    const note = {
      path: 'vault/people/ines.md',
      kind: 'note' as const,
      before: null,
      after: `# Inès\n\n${line}\n`,
    };
    const { inventions } = review({
      input: 'Inès reprend les clés.',
      files: [note, entry('Inès reprend les clés')],
      shownLater: [`vault/people/ines.md\n1 | # Inès\n2 |\n3 | ${line}`],
    });
    expect(inventions).toEqual([{ path: 'vault/people/ines.md', values: ['4512', 'Dupont'] }]);
  });

  it('does not count lines that the update removes as known', () => {
    const input = 'Appeler le notaire Kervella au 4512.';
    const before = 'Appeler le notaire Kervella au 4512.\n';
    const note = { path: 'vault/state.md', kind: 'note' as const, before, after: '' };
    expect(review({ input, files: [], shown: [before] }).uncovered).toEqual([]);
    expect(review({ input, files: [note, entry('Notaire')], shown: [before] }).uncovered).toEqual([input]);
  });
});
