import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ImportedNote, ImportedQuestion, ImportedSet } from './imported-set.ts';
import { readJson } from './read-json.ts';

const longMemEval = z.array(
  z.looseObject({
    question_id: z.string(),
    question_type: z.string(),
    question: z.string(),
    answer_session_ids: z.array(z.string()).default([]),
    haystack_session_ids: z.array(z.string()),
    haystack_dates: z.array(z.string()),
    haystack_sessions: z.array(
      z.array(z.looseObject({ role: z.string(), content: z.string(), has_answer: z.boolean().optional() })),
    ),
  }),
);

/** LongMemEval (`longmemeval_s.json`, `_m` or `_oracle`): every question has sessions of its own. Abstention questions have no evidence. */
export function importLongMemEval(file: string): ImportedSet {
  const items = readJson(file, longMemEval);
  const notes: ImportedNote[] = [];
  const questions = items.map((item): ImportedQuestion => {
    const relevant: string[] = [];
    for (const [index, turns] of item.haystack_sessions.entries()) {
      const session = item.haystack_session_ids[index] ?? String(index);
      const keyOf = (turn: number): string => `${item.question_id} ${session} ${turn}`;
      const marked = turns.flatMap(({ has_answer: isMarked }, turn) =>
        isMarked === true ? [keyOf(turn)] : [],
      );
      relevant.push(...marked);
      // Older files mark only the session.
      if (
        marked.length === 0 &&
        item.answer_session_ids.includes(session) &&
        !hasMarks(item.haystack_sessions)
      )
        relevant.push(keyOf(0));
      notes.push({
        path: `projects/${safeName(item.question_id)}/bucket/${safeName(session)}.md`,
        frontmatter: ['type: conversation', `date: ${item.haystack_dates[index] ?? ''}`],
        entries: turns.map(({ role, content }, turn) => ({
          key: keyOf(turn),
          heading: `${role}, turn ${turn + 1}`,
          text: content,
        })),
      });
    }
    return {
      id: item.question_id,
      lang: 'en',
      query: item.question,
      kind: item.question_type,
      scopes: [`projects/${safeName(item.question_id)}/**`],
      relevant: item.question_id.endsWith('_abs') ? [] : relevant,
    };
  });
  return { notes, questions };
}

function hasMarks(sessions: readonly (readonly { has_answer?: boolean | undefined }[])[]): boolean {
  return sessions.some((turns) => turns.some((turn) => turn.has_answer === true));
}

const dialogue = z.array(z.looseObject({ speaker: z.string(), dia_id: z.string(), text: z.string() }));
const locomo = z.array(
  z.looseObject({
    sample_id: z.string(),
    conversation: z.record(z.string(), z.unknown()),
    qa: z.array(
      z.looseObject({
        question: z.string(),
        category: z.int(),
        evidence: z.array(z.string()).default([]),
      }),
    ),
  }),
);
const audit = z.array(
  z.looseObject({ question_id: z.string(), question: z.string(), correct_evidence: z.array(z.string()) }),
);
const categories: Record<number, string> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
};

/** LoCoMo (`locomo10.json`), with the corrected evidence of an audit (`errors.json`) if it is given. Adversarial questions have no evidence. */
export function importLocomo(file: string, auditFile?: string): ImportedSet {
  const corrections = new Map(
    (auditFile === undefined ? [] : readJson(auditFile, audit)).map((each) => [each.question_id, each]),
  );
  const samples = readJson(file, locomo);
  const notes = samples.flatMap(({ sample_id: sample, conversation }) =>
    Object.entries(conversation).flatMap(([name, value]): ImportedNote[] => {
      if (!/^session_\d+$/.test(name)) return [];
      return [
        {
          path: `projects/${safeName(sample)}/bucket/${name.replace('_', '-')}.md`,
          frontmatter: [
            'type: conversation',
            `date: ${z.string().catch('').parse(conversation[`${name}_date_time`])}`,
          ],
          entries: dialogue.parse(value).map(({ speaker, dia_id: id, text }) => ({
            key: `${sample} ${id}`,
            heading: '',
            text: `${speaker}: ${text}`,
          })),
        },
      ];
    }),
  );
  const questions = samples.flatMap(({ sample_id: sample, qa }, index) =>
    qa.flatMap(({ question, category, evidence }, position): ImportedQuestion[] => {
      const kind = categories[category];
      if (kind === undefined) return [];
      const id = `locomo_${index}_qa${position}`;
      const correction = corrections.get(id);
      const corrected =
        correction?.question.trim() === question.trim() ? correction.correct_evidence : evidence;
      const marks = corrected.flatMap((each) => each.match(/D\d+:\d+/g) ?? []);
      return [
        {
          id,
          lang: 'en',
          query: question,
          kind,
          scopes: [`projects/${safeName(sample)}/**`],
          relevant: [...new Set(marks)].map((mark) => `${sample} ${mark}`),
        },
      ];
    }),
  );
  return { notes, questions };
}

const beamChat = z.array(
  z.looseObject({
    batch_number: z.union([z.int(), z.string()]),
    turns: z.array(
      z.array(
        z.looseObject({
          id: z.int(),
          role: z.string(),
          content: z.string(),
          time_anchor: z.string().nullish(),
        }),
      ),
    ),
  }),
);
const beamQuestions = z.record(
  z.string(),
  z.array(z.looseObject({ question: z.string(), source_chat_ids: z.unknown().optional() })),
);

/** BEAM: the folder `chats/<size>` of its repository. Abstention questions have no evidence. */
export function importBeam(folder: string): ImportedSet {
  const chats = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'chat.json')))
    .toSorted((a, b) => Number(a) - Number(b));
  const notes: ImportedNote[] = [];
  const questions: ImportedQuestion[] = [];
  for (const chat of chats) {
    for (const { batch_number: batch, turns } of readJson(join(folder, chat, 'chat.json'), beamChat)) {
      const messages = turns.flat();
      const when = messages.find((message) => message.time_anchor)?.time_anchor ?? '';
      notes.push({
        path: `projects/chat-${chat}/bucket/conversation-${String(batch).padStart(2, '0')}.md`,
        frontmatter: ['type: conversation', `date: ${when}`],
        entries: messages.map(({ id, role, content }) => ({
          key: `${chat} ${id}`,
          heading: `${role}, message ${id}`,
          // The authors' marker at the end of generated messages.
          text: content.replace(/\s*->->\s*[\d,\s.]+$/, ''),
        })),
      });
    }
    const file = join(folder, chat, 'probing_questions', 'probing_questions.json');
    for (const [kind, asked] of Object.entries(readJson(file, beamQuestions)))
      for (const [index, { question, source_chat_ids: sources }] of asked.entries())
        questions.push({
          id: `${chat}-${kind}-${index}`,
          lang: 'en',
          query: question,
          kind,
          scopes: [`projects/chat-${chat}/**`],
          relevant: [...new Set(numbersIn(sources))].map((id) => `${chat} ${id}`),
        });
  }
  return { notes, questions };
}

/** The ids of messages are nested in lists and objects, some as texts. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value === 'string') return /^\d+$/.test(value) ? [Number(value)] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

function safeName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]/gu, '-');
}
