import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { saveMerged, versionAfterSave } from './save-merged.ts';

const note = (tokens: number, body: string): string =>
  `---\ncreated: 2026-01-02T03:04:05\nupdated: 2026-01-02T03:04:0${tokens}\ntokens: ${tokens}\n---\n\n${body}`;

/** A file that another writer replaces with the next of these texts right before each save. */
function contested(present: string, next: string[]) {
  const file = { text: present, saves: 0 };
  return {
    file,
    parts: {
      path: 'n.md',
      async save(content: string, etag: string | null) {
        file.saves += 1;
        file.text = next.shift() ?? file.text;
        if (etag !== file.text) throw new ApiError('changed-since', 'the file has a newer revision', '');
        file.text = content;
      },
      read: async () => ({ text: file.text, etag: file.text, mediaType: 'text/markdown' }),
    },
  };
}

describe('saveMerged', () => {
  it('saves without a conflict if only stamps have changed', async () => {
    const base = note(1, 'one\ntwo\n');
    const { file, parts } = contested(base, [note(2, 'one\ntwo\n'), note(3, 'one\ntwo\n')]);
    const saved = await saveMerged(parts, { content: note(1, 'ONE\ntwo\n'), base, etag: base });
    expect(saved).toEqual({ kind: 'saved', content: note(3, 'ONE\ntwo\n') });
    expect(file).toEqual({ text: note(3, 'ONE\ntwo\n'), saves: 3 });
  });

  it('merges changes to other lines', async () => {
    const { file, parts } = contested('a\nb\nc\nd\n', ['a\nb\nc\nD\n']);
    await saveMerged(parts, { content: 'A\nb\nc\nd\n', base: 'a\nb\nc\nd\n', etag: 'a\nb\nc\nd\n' });
    expect(file.text).toBe('A\nb\nc\nD\n');
  });

  it('reports a conflict if the same lines have changed', async () => {
    const { file, parts } = contested('a\nb\n', ['theirs\nb\n']);
    const attempt = { content: 'mine\nb\n', base: 'a\nb\n', etag: 'a\nb\n' };
    const saved = await saveMerged(parts, attempt);
    expect(saved).toMatchObject({ kind: 'conflict', attempt, theirs: { text: 'theirs\nb\n' } });
    expect(file.text).toBe('theirs\nb\n');
  });

  it('does not recreate a file that was deleted meanwhile', async () => {
    const parts = {
      path: 'n.md',
      save: async () => {
        throw new ApiError('changed-since', 'the file no longer exists', '');
      },
      read: async () => ({ text: '', etag: '', mediaType: '' }),
    };
    const saved = await saveMerged(parts, { content: 'a\n', base: 'a\n', etag: '1' });
    expect(saved.kind).toBe('conflict');
  });

  it('gives up with a conflict if the file keeps changing', async () => {
    const texts = Array.from({ length: 20 }, (_, at) => note(at % 10, 'one\n'));
    const { file, parts } = contested('one\n', texts);
    const saved = await saveMerged(parts, { content: 'two\n', base: 'one\n', etag: 'one\n' });
    expect([saved.kind, file.saves]).toEqual(['conflict', 5]);
  });
});

describe('versionAfterSave', () => {
  const sent = { content: note(1, 'mine\n'), base: note(1, 'old\n'), etag: '1' };

  it('is the current file if it differs from the saved text only in stamps', () => {
    const present = { text: note(2, 'mine\n'), etag: '2', mediaType: 'text/markdown' };
    expect(versionAfterSave('n.md', sent, present)).toEqual({ base: present.text, etag: '2' });
  });

  it('is the saved text with its previous revision if the file has other changes', () => {
    const present = { text: note(2, 'mine\ntheirs\n'), etag: '2', mediaType: 'text/markdown' };
    expect(versionAfterSave('n.md', sent, present)).toEqual({ base: sent.content, etag: '1' });
  });
});
