import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { parseLocalTime } from '../../../vault/src/contract/local-time.ts';
import {
  findFrontmatter,
  getFrontmatterValue,
  estimateTokens,
} from '../../../vault/src/vault/frontmatter.ts';
import { readAnswerQuestions } from './answer-questions.ts';

const questions = readAnswerQuestions('packages/benchmark/data/answers/questions.jsonl');
const paths = globSync('**/*', { cwd: 'packages/vault/demo/vault', withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

describe('the benchmark questions', () => {
  it('number at least 36, half of them in each language, without duplicate ids', () => {
    expect(questions.length).toBeGreaterThanOrEqual(36);
    expect(questions.filter(({ language }) => language === 'fr')).toHaveLength(questions.length / 2);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  });

  it('include three that the vault cannot answer', () => {
    expect(questions.filter(({ unanswerable }) => unanswerable === true)).toHaveLength(3);
  });

  it.each(questions.filter(({ evidence }) => evidence.length > 0))(
    'have evidence that occurs exactly once as a line of its file: $id',
    ({ evidence }) => {
      const wrong = evidence.filter(({ path, text }) => {
        const lines = readFileSync(join('packages/vault/demo', path), 'utf8').split('\n');
        return lines.filter((line) => line === text).length !== 1;
      });
      expect(wrong).toEqual([]);
    },
  );
});

describe('readAnswerQuestions', () => {
  const valid = {
    id: 'a',
    language: 'en',
    question: 'Where?',
    evidence: [{ path: 'vault/a.md', text: 'here' }],
  };
  const read = (lines: string): ReturnType<typeof readAnswerQuestions> => {
    const file = join(temporaryFolder(), 'questions.jsonl');
    writeFileSync(file, lines);
    return readAnswerQuestions(file);
  };

  it('reads one question from each line', () => {
    expect(read(`${JSON.stringify(valid)}\n\n${JSON.stringify({ ...valid, id: 'b' })}\n`)).toHaveLength(2);
  });

  it.each([
    ['{', /questions\.jsonl:1: not valid JSON/],
    [JSON.stringify({ ...valid, more: 1 }), /questions\.jsonl:1: .*"more"/s],
    [JSON.stringify({ ...valid, evidence: [] }), /questions\.jsonl:1: .*needs evidence/s],
    [JSON.stringify({ ...valid, unanswerable: true }), /questions\.jsonl:1: .*needs evidence/s],
    [JSON.stringify({ ...valid, evidence: [{ path: 'a.md', text: 'x' }] }), /questions\.jsonl:1: .*vault\//s],
  ])('rejects %s and names file and line', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });
});

describe('the demonstration vault', () => {
  it('has the root files, projects with all their files, buckets and an inbox', () => {
    expect(paths.length).toBeGreaterThanOrEqual(65);
    const relative = new Set(paths.map((path) => path.slice('packages/vault/demo/vault/'.length)));
    for (const name of ['overview', 'profile', 'tasks', 'changelog'])
      expect(relative).toContain(`${name}.md`);
    const projects = new Set([...relative].flatMap((path) => /^projects\/([^/]+)\//.exec(path)?.[1] ?? []));
    expect(projects.size).toBeGreaterThanOrEqual(8);
    for (const project of projects) {
      for (const name of ['description', 'state', 'tasks', 'changelog']) {
        expect(relative).toContain(`projects/${project}/${name}.md`);
      }
      expect([...relative].some((path) => path.startsWith(`projects/${project}/bucket/`))).toBe(true);
    }
    expect([...relative].filter((path) => /^inbox\/[^/]+\/review\.md$/.test(path))).toHaveLength(2);
    expect([...relative].filter((path) => path === 'tree.md' || path.startsWith('.'))).toEqual([]);
  });

  it.each(paths)('has correct stamps in %s', (path) => {
    const text = readFileSync(path, 'utf8');
    const { yamlStart, yamlEnd } = findFrontmatter(text) ?? expect.unreachable();
    const yaml = text.slice(yamlStart, yamlEnd);
    expect(getFrontmatterValue(yaml, 'tokens')).toBe(String(estimateTokens(text)));
    const [created, updated] = ['created', 'updated'].map((key) => getFrontmatterValue(yaml, key) ?? '');
    expect(parseLocalTime(created ?? '')).toBe(created);
    expect(parseLocalTime(updated ?? '')).toBe(updated);
    expect((created ?? '') <= (updated ?? '')).toBe(true);
  });

  it.each(paths.filter((path) => path.includes('/bucket/')))('%s states its type and its source', (path) => {
    const text = readFileSync(path, 'utf8');
    const { yamlStart, yamlEnd } = findFrontmatter(text) ?? expect.unreachable();
    const yaml = text.slice(yamlStart, yamlEnd);
    expect(getFrontmatterValue(yaml, 'type')).not.toBeNull();
    expect(getFrontmatterValue(yaml, 'source')).not.toBeNull();
  });

  it.each(paths.filter((path) => path.endsWith('/changelog.md')))('%s has its newest day first', (path) => {
    const days = [...readFileSync(path, 'utf8').matchAll(/^# (.*)$/gm)].map(([, day = '']) => day);
    expect(days.length).toBeGreaterThan(3);
    expect(days.every((day) => /^\d{4}-\d\d-\d\d$/.test(day))).toBe(true);
    expect(days).toEqual(days.toSorted().toReversed());
  });
});
