import { describe, expect, it } from 'vitest';
import { isInstructions, itemAskedIn, usualLayout } from './layout.ts';
import type { VaultPath } from './path.ts';

const { bucketFor, isChangelog, isFixed, isInBucket, isSearchable, isTaskList, mayHoldDocument, projectOf } =
  usualLayout;
const at = (path: string): VaultPath => `vault/${path}` as VaultPath;

describe('files that other tools take for instructions', () => {
  it.each([
    'CLAUDE.md',
    'claude.MD',
    'projects/x/AGENTS.md',
    'Agents.Override.md',
    'GEMINI.md',
    'skills/deploy/SKILL.md',
    'copilot-instructions.md',
    'review.prompt.md',
    'x.instructions.md',
    'rules.mdc',
    'llms.txt',
    'CONVENTIONS.md',
    '\u{ff23}LAUDE.md',
    'CLAU\u{200d}DE.md',
    'AGENT\u{17f}.md',
    '\u{212a}eep/S\u{212a}ILL.md',
    'SK\u{131}LL.md',
    'CLAUDE.md. ',
    'CLAUDE\u{fe0f}.md\u{e0041}',
  ])('%s is one', (path) => {
    expect(isInstructions(at(path))).toBe(true);
  });

  it.each(['claude.md/x.md', 'about-claude.md', 'skills.md', 'prompt.md', 'agents-of-change.md', 'llms.md'])(
    '%s is none',
    (path) => {
      expect(isInstructions(at(path))).toBe(false);
    },
  );
});

describe('the layout of a vault', () => {
  it('has a bucket of its own and one for each project, and no other', () => {
    const inside = [
      'bucket/x.md',
      'bucket/mail/x.md',
      'projects/a/bucket/x.md',
      'projects/a/bucket/deep/x.pdf',
    ];
    const outside = [
      'notes/bucket/x.md',
      'projects/bucket/x.md',
      'projects/a/notes/bucket/x.md',
      'bucket',
      'buckets/x.md',
    ];
    expect(inside.filter((path) => !isInBucket(at(path)))).toEqual([]);
    expect(outside.filter((path) => isInBucket(at(path)))).toEqual([]);
  });

  it('keeps raw material in the bucket of its project, else in that of the vault', () => {
    expect(bucketFor(at('projects/a/state.md'))).toBe(at('projects/a/bucket'));
    expect(bucketFor(at('projects/a/notes/x.md'))).toBe(at('projects/a/bucket'));
    expect(bucketFor(at('projects/stray.md'))).toBe(at('bucket'));
    expect(bucketFor(at('notes/x.md'))).toBe(at('bucket'));
  });

  it('takes documents in buckets and inbox items, not beside notes or items', () => {
    expect(mayHoldDocument(at('bucket/x.pdf'))).toBe(true);
    expect(mayHoldDocument(at('inbox/2025-07-14-call/x.pdf'))).toBe(true);
    expect(mayHoldDocument(at('inbox/x.pdf'))).toBe(false);
    expect(mayHoldDocument(at('projects/a/x.pdf'))).toBe(false);
  });

  it('searches every text and image but those always in context and the inbox', () => {
    const found = [
      'tasks.md',
      'notes/overview.md',
      'projects/a/profile.md',
      'bucket/tree.md',
      'Inbox.md',
      'bucket/x.png',
    ];
    const notFound = ['overview.md', 'profile.md', 'tree.md', 'inbox/x/review.md', 'inbox/x/x.png', 'x.txt'];
    expect(found.filter((path) => !isSearchable(at(path)))).toEqual([]);
    expect(notFound.filter((path) => isSearchable(at(path)))).toEqual([]);
  });

  it('knows changelogs, task lists and questions by their names and places', () => {
    expect([isChangelog(at('projects/a/changelog.md')), isTaskList(at('tasks.md'))]).toEqual([true, true]);
    expect([isChangelog(at('changelog-2.md')), isTaskList(at('projects/a/tasks.txt'))]).toEqual([
      false,
      false,
    ]);
    expect(itemAskedIn(at('inbox/2025-07-14-call/review.md'))).toBe('2025-07-14-call');
    expect(itemAskedIn(at('inbox/review.md'))).toBeNull();
    expect(itemAskedIn(at('notes/call/review.md'))).toBeNull();
    expect([projectOf(at('projects/a/state.md')), projectOf(at('projects/a'))]).toEqual(['a', null]);
  });

  it('keeps what every vault has, however it is spelled', () => {
    expect(
      ['overview.md', 'Overview.MD', 'projects', 'INBOX', 'tree.md'].filter((path) => !isFixed(at(path))),
    ).toEqual([]);
    expect(['notes/overview.md', 'project', 'inbox/x'].filter((path) => isFixed(at(path)))).toEqual([]);
    expect(isFixed('vault' as VaultPath)).toBe(true);
  });
});
