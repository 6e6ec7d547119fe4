import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layOut, temporaryFolder } from '../../../../../test/temporary-vault.ts';
import { readDataset } from './import-dataset.ts';
import type { ImportedFormat } from './import-dataset.ts';
import { writeImportedSet } from './imported-set.ts';

type Query = { id: string; relevant: Place[]; forbidden?: Place[]; scopes?: string[] };
type Place = { path: string; lines: [number, number] };

const files: Record<string, unknown> = {
  'longmemeval.json': [
    {
      question_id: 'q1',
      question_type: 'single-session-user',
      question: 'Which berth?',
      answer_session_ids: ['s2'],
      haystack_session_ids: ['s1', 's2'],
      haystack_dates: ['2023/05/20', '2023/05/21'],
      haystack_sessions: [
        [{ role: 'user', content: 'Hello.' }],
        [
          { role: 'assistant', content: 'Well?' },
          { role: 'user', content: '# Berth\nIt is 17.', has_answer: true },
        ],
      ],
    },
    {
      question_id: 'q2_abs',
      question_type: 'single-session-user',
      question: 'Which boat?',
      haystack_session_ids: ['s1'],
      haystack_dates: ['2023/05/20'],
      haystack_sessions: [[{ role: 'user', content: 'Hello.' }]],
    },
  ],
  'locomo.json': [
    {
      sample_id: 'conv-1',
      conversation: {
        speaker_a: 'Ann',
        session_1_date_time: '8 May, 2023',
        session_1: [
          { speaker: 'Ann', dia_id: 'D1:1', text: 'Hi.' },
          { speaker: 'Bea', dia_id: 'D1:2', text: 'I painted it last year.' },
        ],
      },
      qa: [
        { question: 'When did Bea paint?', category: 2, evidence: ['D1:1'] },
        { question: 'Who is not there?', category: 5, evidence: ['D1:1'] },
      ],
    },
  ],
  'errors.json': [
    { question_id: 'locomo_0_qa0', question: 'When did Bea paint?', correct_evidence: ['D1:2'] },
  ],
  'beam/1/chat.json': [
    {
      batch_number: 1,
      turns: [
        [
          { id: 0, role: 'user', content: 'Hi ->-> 1,2', time_anchor: 'March-15-2024' },
          { id: 1, role: 'assistant', content: 'It is 17.' },
        ],
      ],
    },
  ],
  'beam/1/probing_questions/probing_questions.json': {
    fact: [{ question: 'Which?', source_chat_ids: { first: [['1']] } }],
    abstention: [{ question: 'What?' }],
  },
  'life/items.jsonl': { person: 'ann', type: 'note', id: 3, at: '2025-08-30 10:00:00', text: 'It is 17.' },
  'life/queries.jsonl': {
    id: 'ann-0',
    person: 'ann',
    kind: 'fact',
    query: 'Which?',
    evidence: [['note', 3]],
  },
  'xquad/xquad.en.json': {
    data: [{ paragraphs: [{ context: 'It is 17.', qas: [{ id: 'a', question: 'Which?' }] }] }],
  },
  'xquad/xquad.de.json': {
    data: [{ paragraphs: [{ context: 'Es ist 17.', qas: [{ id: 'a', question: 'Welche?' }] }] }],
  },
  'pmb/beliefs.seed.json': [
    { _id: 'b1', type: 'fact', canonical_name: 'berth', content: 'It is 17.', epistemic_status: 'active' },
    {
      _id: 'b0',
      type: 'fact',
      canonical_name: 'berth',
      content: 'It is 12.',
      epistemic_status: 'superseded',
      superseded_by: 'b1',
    },
  ],
  'pmb/retrieval.cases.json': [
    { caseId: 'c', query: 'Which?', expect: { relevantBeliefs: { shouldOnlyInclude: ['b1'] } } },
  ],
};

function convert(
  format: ImportedFormat,
  source: string,
  audit?: string,
): { text: (place: Place) => string; queries: Query[]; counts: ReturnType<typeof writeImportedSet> } {
  const [folder, target] = [temporaryFolder(), temporaryFolder()];
  layOut(
    folder,
    Object.fromEntries(Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)])),
  );
  const set = readDataset(format, {
    source: join(folder, source),
    audit: audit === undefined ? undefined : join(folder, audit),
    ask: 'de',
    documents: 'en',
  });
  const counts = writeImportedSet(target, set);
  const lines = readFileSync(join(target, 'queries.jsonl'), 'utf8').trim().split('\n');
  return {
    counts,
    queries: lines.map((line) => JSON.parse(line) as Query),
    text: ({ path, lines: [first, last] }) =>
      readFileSync(join(target, 'vault', path), 'utf8')
        .split('\n')
        .slice(first - 1, last)
        .join('\n'),
  };
}

describe('an imported dataset', () => {
  it.each([
    ['longmemeval', 'longmemeval.json', undefined, '\\# Berth\nIt is 17.'],
    ['locomo', 'locomo.json', undefined, 'Ann: Hi.'],
    ['locomo', 'locomo.json', 'errors.json', 'Bea: I painted it last year.'],
    ['beam', 'beam', undefined, 'It is 17.'],
    ['lifebench', 'life', undefined, 'It is 17.'],
    ['xquad', 'xquad', undefined, 'It is 17.'],
    ['precisionmembench', 'pmb', undefined, 'It is 17.'],
  ] as const)('marks the lines that answer a question: %s, %s, %s', (format, source, audit, evidence) => {
    const { queries, text } = convert(format, source, audit);
    expect(queries.map(({ relevant }) => relevant.map(text))).toEqual([[evidence]]);
  });

  it('leaves out questions without evidence, and says how many', () => {
    expect(convert('longmemeval', 'longmemeval.json').counts).toEqual({
      notes: 3,
      questions: 1,
      withoutEvidence: 1,
    });
    expect(convert('beam', 'beam').counts.withoutEvidence).toBe(1);
  });

  it('names the lines that must not be shown', () => {
    const { queries, text } = convert('precisionmembench', 'pmb');
    expect(queries[0]?.forbidden?.map(text)).toEqual(['It is 12.']);
  });

  it('of another form is rejected with the name of the file', () => {
    expect(() => convert('longmemeval', 'beam/1/chat.json')).toThrow(
      /chat\.json is not of the expected form/,
    );
    expect(() => convert('xquad', 'beam')).toThrow(/cannot read .*xquad\.en\.json/);
  });
});
