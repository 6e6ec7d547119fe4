import { describe, expect, it } from 'vitest';
import { isInstructionFile, defaultLayout } from './layout.ts';
import type { VaultPath } from './path.ts';

const { bucketFor, isChangelog, isBuiltIn, isInBucket, isSearchable, isTaskList, allowsDocument, projectOf } =
  defaultLayout;
const at = (path: string): VaultPath => `vault/${path}` as VaultPath;

describe('isInstructionFile', () => {
  it.each([
    'CLAUDE.md',
    'claude.MD',
    'projects/x/AGENTS.md',
    'Agents.Override.md',
    'GEMINI.md',
    'skills/deploy/SKILL.md',
    'copilot-instructions.md',
    'OpenCode.md',
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
  ])('matches %s', (path) => {
    expect(isInstructionFile(at(path))).toBe(true);
  });

  it.each(['claude.md/x.md', 'about-claude.md', 'skills.md', 'prompt.md', 'agents-of-change.md', 'llms.md'])(
    'does not match %s',
    (path) => {
      expect(isInstructionFile(at(path))).toBe(false);
    },
  );
});

describe('the default layout', () => {
  it('has one bucket for the vault and one per project', () => {
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

  it('puts raw material into the bucket of its project, or else of the vault', () => {
    expect(bucketFor(at('projects/a/state.md'))).toBe(at('projects/a/bucket'));
    expect(bucketFor(at('projects/a/notes/x.md'))).toBe(at('projects/a/bucket'));
    expect(bucketFor(at('projects/stray.md'))).toBe(at('bucket'));
    expect(bucketFor(at('notes/x.md'))).toBe(at('bucket'));
  });

  it('allows documents only in buckets and inbox items', () => {
    expect(allowsDocument(at('bucket/x.pdf'))).toBe(true);
    expect(allowsDocument(at('inbox/2025-07-14-call/x.pdf'))).toBe(true);
    expect(allowsDocument(at('inbox/x.pdf'))).toBe(false);
    expect(allowsDocument(at('projects/a/x.pdf'))).toBe(false);
  });

  it('makes every note and image searchable except overview, profile, tree and the inbox', () => {
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

  it('recognizes changelogs, task lists and questions by name and location', () => {
    expect([isChangelog(at('projects/a/changelog.md')), isTaskList(at('tasks.md'))]).toEqual([true, true]);
    expect([isChangelog(at('changelog-2.md')), isTaskList(at('projects/a/tasks.txt'))]).toEqual([
      false,
      false,
    ]);
    const { questionItemName } = defaultLayout;
    expect(questionItemName(at('inbox/2025-07-14-call/review.md'))).toBe('2025-07-14-call');
    expect(questionItemName(at('inbox/review.md'))).toBeNull();
    expect(questionItemName(at('notes/call/review.md'))).toBeNull();
    expect([projectOf(at('projects/a/state.md')), projectOf(at('projects/a'))]).toEqual(['a', null]);
  });

  it('protects built-in files and folders, whether in upper or lower case', () => {
    expect(
      ['overview.md', 'Overview.MD', 'projects', 'INBOX', 'tree.md'].filter((path) => !isBuiltIn(at(path))),
    ).toEqual([]);
    expect(['notes/overview.md', 'project', 'inbox/x'].filter((path) => isBuiltIn(at(path)))).toEqual([]);
    expect(isBuiltIn('vault' as VaultPath)).toBe(true);
  });
});
