import { describe, expect, it } from 'vitest';
import { dailyPath, dailyPathBySetting, formatDay, recognizeDailyForm } from './daily-note.ts';
import { fillTemplate, findDailyTemplate, findTemplates } from './templates.ts';

const day = new Date(2026, 10, 8, 9, 5);

describe('the daily note', () => {
  it.each([
    [['Daily/2026-11-01.md', 'Daily/2026-11-02.md'], 'Daily/2026-11-08.md'],
    [['Journal/2025/2025-11-01.md', 'Journal/2026/2026-01-02.md'], 'Journal/2026/2026-11-08.md'],
    [['log/2026/01/2026-01-02.md', 'log/2026/03/2026-03-02.md'], 'log/2026/11/2026-11-08.md'],
    [['journals/2026_11_01.md'], 'journals/2026_11_08.md'],
    [['30 Journal/13.10.2026.md'], '30 Journal/08.11.2026.md'],
    [['d/11-13-2026.md', 'd/01-14-2026.md'], 'd/11-08-2026.md'],
    [['Journal/2026-11-06 vendredi.md'], 'Journal/2026-11-08 dimanche.md'],
    [['2026-11-01.md', '2026-11-02.md'], '2026-11-08.md'],
    // One note with the name of a day is not enough outside of a folder for them.
    [['projects/x/2026-11-01.md'], 'daily/2026-11-08.md'],
    [['a.md', 'bucket/2026-11-01-call.md', 'x/2026-13-45.md'], 'daily/2026-11-08.md'],
  ])('has the form of the existing ones: %j', (files, path) => {
    expect(dailyPath(recognizeDailyForm({ files, folders: [] }), day)).toBe(path);
  });

  it('is in an empty folder that is meant for it', () => {
    const form = recognizeDailyForm({ files: [], folders: ['projects', '10 Notes/Daily notes'] });
    expect(dailyPath(form, day)).toBe('10 Notes/Daily notes/2026-11-08.md');
  });
});

describe('templates', () => {
  it('are the notes in a folder for them', () => {
    const files = ['Templates/Daily.md', '99 Templates/call.md', 'templates/a.png', 'notes/template.md'];
    expect(findTemplates(files)).toEqual(['Templates/Daily.md', '99 Templates/call.md']);
    expect(findDailyTemplate(['Templates/call.md', 'Templates/Daily.md'])).toBe('Templates/Daily.md');
    expect(findDailyTemplate(['Templates/call.md'])).toBeNull();
  });

  it('are filled in without their stamps, and nothing in them is run', () => {
    const template =
      '---\ntags: [call]\ncreated: 2025-01-01T00:00:00\nupdated: 2025-01-01T00:00:00\ntokens: 9\n---\n\n# {{title}}\n\n{{date}} {{time}} {{date:dddd D MMMM}} <% tp.date %> {{other}}\n';
    expect(fillTemplate('t.md', template, { title: 'Call $& me', now: day, language: 'en' })).toBe(
      '---\ntags: [call]\n---\n\n# Call $& me\n\n2026-11-08 09:05 Sunday 8 November <% tp.date %> {{other}}\n',
    );
  });

  it('may have text in the form of a date', () => {
    expect(formatDay('[Day] DD/MM/YY, dddd', day, 'fr')).toBe('Day 08/11/26, dimanche');
  });
});

describe('the setting of Obsidian', () => {
  it.each([
    ['Journal', 'YYYY-MM-DD', 'Journal/2026-11-08.md'],
    ['', 'YYYY/MM-MMMM/DD[th] dddd', '2026/11-November/08th Sunday.md'],
    ['10 Daily', 'YYYYMMDD', '10 Daily/20261108.md'],
  ])('folder %j with format %j leads to %s', (folder, format, path) => {
    expect(dailyPathBySetting({ folder, format }, day, 'en')).toBe(path);
  });

  it.each(['gggg-[W]ww', 'YYYY-MM-Do', '../YYYY', '.hidden/YYYY', 'YYYY:MM'])(
    'is ignored for %j',
    (format) => {
      expect(dailyPathBySetting({ folder: 'Journal', format }, day, 'en')).toBeNull();
    },
  );
});
