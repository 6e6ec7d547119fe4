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
import type { AnswerQuestion } from './answer-questions.ts';
import { scoreAnswer } from './score-answers.ts';
import type { Answer } from './score-answers.ts';

const questions = readAnswerQuestions('packages/benchmark/data/answers/questions.jsonl');
const paths = globSync('**/*', { cwd: 'packages/vault/demo/vault', withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

/** The folder that contains the paths of the evidence. */
function vaultOf({ vault }: AnswerQuestion): string {
  return vault === undefined
    ? 'packages/vault/demo/vault'
    : join('packages/benchmark/data/answers/vaults', vault);
}

function readEvidence(question: AnswerQuestion, path: string): string[] {
  return readFileSync(join(vaultOf(question), path.replace(/^vault\//, '')), 'utf8').split('\n');
}

/** An answer that quotes the evidence, with the given change of notation. */
function quoteEvidence(question: AnswerQuestion, rewrite = (text: string): string => text): Answer {
  const denial = { en: 'It is not in the notes.', fr: 'Ce n’est pas noté.', de: 'Das steht nirgends.' };
  const blocks = question.evidence.map(({ path, text }) => {
    const start = readEvidence(question, path).indexOf(text) + 1;
    return { path, start, end: start, text };
  });
  const isAbsent = question.unanswerable === true;
  return {
    overview: isAbsent ? denial[question.language] : blocks.map(({ text }) => rewrite(text)).join('\n'),
    blocks,
    found: isAbsent ? 'no' : 'yes',
    hasLooked: true,
  };
}

describe('the benchmark questions', () => {
  it('number at least 200 in three languages, of six kinds over four vaults, without duplicate ids', () => {
    expect(questions.length).toBeGreaterThanOrEqual(200);
    for (const language of ['fr', 'en', 'de'])
      expect(questions.filter((each) => each.language === language).length).toBeGreaterThanOrEqual(50);
    for (const kind of ['fact', 'several', 'time', 'update', 'absent', 'preference'])
      expect(questions.filter((each) => each.kind === kind).length).toBeGreaterThanOrEqual(25);
    expect(new Set(questions.map(vaultOf)).size).toBe(4);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    expect(new Set(questions.map(({ question, vault }) => `${vault} ${question}`)).size).toBe(
      questions.length,
    );
  });

  it('have evidence that occurs exactly once as a line of its file', () => {
    const wrong = questions.flatMap((question) =>
      question.evidence.filter(
        ({ path, text }) => readEvidence(question, path).filter((line) => line === text).length !== 1,
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('are answered perfectly by quoting the evidence', () => {
    const scored = questions.map((question) => ({
      id: question.id,
      problems: scoreAnswer(question, quoteEvidence(question), '2026-11-01').problems,
    }));
    // The question is in one language, the evidence in another.
    expect(scored.filter(({ problems }) => problems.length > 0)).toEqual([]);
  });

  it('are answered as well with other notations of dates and amounts', () => {
    const scores = questions.map((question) => {
      const rewrite = (text: string): string => rewriteValues(text, question.language);
      return scoreAnswer(question, quoteEvidence(question, rewrite), '2026-11-01').score;
    });
    expect(scores.reduce((sum, score) => sum + score, 0) / scores.length).toBeGreaterThanOrEqual(0.97);
  });
});

/** Writes dates in words and amounts without separators, after other words. */
function rewriteValues(text: string, language: 'fr' | 'en' | 'de'): string {
  const format = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const intro = { en: 'According to the notes', fr: 'D’après les notes', de: 'Laut den Notizen' };
  const said = text
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, (day) => format.format(new Date(`${day}T00:00:00Z`)))
    .replaceAll(/(\d)[,. \u00a0\u202f](\d{3}) €/g, '$1$2 euros');
  return `${intro[language]}: ${said.replace(/^[#\s-]+/, '')}`;
}

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
