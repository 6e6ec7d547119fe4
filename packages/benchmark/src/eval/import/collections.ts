import { join } from 'node:path';
import { z } from 'zod';
import type { ImportedNote, ImportedSet } from './imported-set.ts';
import { readJson, readJsonLines } from './read-json.ts';

const id = z.union([z.int(), z.string()]);
const lifeItem = z.looseObject({
  person: z.string(),
  type: z.string(),
  id,
  at: z.string().nullish(),
  text: z.string(),
});
const lifeQuestion = z.looseObject({
  id: z.string(),
  person: z.string(),
  kind: z.string(),
  query: z.string(),
  evidence: z.array(z.tuple([z.string(), id])).default([]),
});

/** LifeBench: a folder with `items.jsonl` and `queries.jsonl`. One note per person, kind of item and month. */
export function importLifeBench(folder: string): ImportedSet {
  const items = readJsonLines(join(folder, 'items.jsonl'), lifeItem);
  const monthOf = ({ at }: z.infer<typeof lifeItem>): string => (at ?? '0000-00').slice(0, 7);
  const groups = Map.groupBy(items, (item) => `${item.person}/bucket/${item.type}/${monthOf(item)}`);
  const notes = [...groups].map(([name, all]): ImportedNote => ({
    path: `projects/${name}.md`,
    frontmatter: [`type: ${all[0]?.type ?? ''}`],
    entries: all
      .toSorted((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1))
      .map((item) => ({
        key: `${item.person} ${item.type} ${item.id}`,
        heading: `${item.at ?? ''} ${item.type}`.trim(),
        text: item.text,
      })),
  }));
  const questions = readJsonLines(join(folder, 'queries.jsonl'), lifeQuestion).map((question) => ({
    id: question.id,
    lang: 'en',
    query: question.query,
    kind: question.kind,
    scopes: [`projects/${question.person}/**`],
    relevant: question.evidence.map(([type, item]) => `${question.person} ${type} ${item}`),
  }));
  return { notes, questions };
}

const squad = z.looseObject({
  data: z.array(
    z.looseObject({
      title: z.string().default(''),
      paragraphs: z.array(
        z.looseObject({
          context: z.string(),
          qas: z.array(z.looseObject({ id: z.string(), question: z.string() })),
        }),
      ),
    }),
  ),
});

/** XQuAD: a folder with `xquad.<language>.json`. The questions may be in another language than the paragraphs. */
export function importXquad(folder: string, asked: string, documents: string): ImportedSet {
  const fileOf = (language: string): z.infer<typeof squad> =>
    readJson(join(folder, `xquad.${language}.json`), squad);
  const articles = fileOf(documents).data;
  const notes = articles.map(({ title, paragraphs }, index): ImportedNote => ({
    path: `bucket/articles/${String(index + 1).padStart(3, '0')}.md`,
    frontmatter: ['type: article', `title: ${JSON.stringify(title.replaceAll('_', ' '))}`],
    entries: paragraphs.map(({ context }, paragraph) => ({
      key: `${index} ${paragraph}`,
      heading: '',
      text: context.replaceAll(/\s+/g, ' ').trim(),
    })),
  }));
  const answers = new Map(
    articles.flatMap(({ paragraphs }, index) =>
      paragraphs.flatMap(({ qas }, paragraph) =>
        qas.map((each) => [each.id, `${index} ${paragraph}`] as const),
      ),
    ),
  );
  const questions = fileOf(asked).data.flatMap(({ paragraphs }) =>
    paragraphs.flatMap(({ qas }) =>
      qas.map((each) => ({
        id: each.id,
        lang: asked,
        query: each.question,
        relevant: [answers.get(each.id) ?? ''],
      })),
    ),
  );
  return { notes, questions };
}

const belief = z
  .looseObject({
    _id: z.string(),
    type: z.string(),
    canonical_name: z.string(),
    aliases: z.array(z.string()).default([]),
    content: z.string(),
    scope: z.array(z.string()).default([]),
    epistemic_status: z.string(),
    superseded_by: z.string().nullish(),
  })
  .transform(({ _id: name, ...rest }) => ({ ...rest, name }));

const names = z.array(z.string()).default([]);
const wanted = z.looseObject({
  mustInclude: names,
  shouldOnlyInclude: names,
  mustExclude: names,
});
const precisionCase = z.looseObject({
  caseId: z.string(),
  category: z.string().default(''),
  query: z.string().default(''),
  expect: z.record(z.string(), wanted.or(z.unknown())).default({}),
});

/** PrecisionMemBench: a folder with `beliefs.seed.json` and `retrieval.cases.json`. One note per belief. */
export function importPrecisionMemBench(folder: string): ImportedSet {
  const beliefs = readJson(join(folder, 'beliefs.seed.json'), z.array(belief));
  const notes = beliefs.map((each): ImportedNote => ({
    path: `bucket/beliefs/${each.name}.md`,
    frontmatter: [`type: ${each.type}`, `scope: ${each.scope.join(' ')}`, `status: ${each.epistemic_status}`],
    entries: [
      {
        key: each.name,
        heading: [each.canonical_name, ...each.aliases].join(', '),
        text: each.content,
      },
    ],
  }));
  const superseded = beliefs.filter(({ superseded_by: by }) => Boolean(by)).map(({ name }) => name);
  const questions = readJson(join(folder, 'retrieval.cases.json'), z.array(precisionCase)).map((each) => {
    const parts = Object.values(each.expect).flatMap((part) => wanted.safeParse(part).data ?? []);
    const relevant = [...new Set(parts.flatMap((part) => [...part.mustInclude, ...part.shouldOnlyInclude]))];
    const excluded = [...superseded, ...parts.flatMap((part) => part.mustExclude)];
    return {
      id: each.caseId,
      lang: 'en',
      query: each.query,
      kind: each.category,
      relevant,
      forbidden: [...new Set(excluded)].filter((name) => !relevant.includes(name)),
    };
  });
  return { notes, questions: questions.filter(({ query }) => query.trim() !== '') };
}
