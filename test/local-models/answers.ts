import { createHash } from 'node:crypto';

const dimensions = 64;

/** Texts with common words get similar vectors, so that search results are meaningful. */
export function answerEmbeddings(body: unknown): unknown {
  const { input, model } = body as { input: string[]; model: string };
  return {
    object: 'list',
    model,
    data: input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  };
}

/** Returns the given text, or one expansion of each type that repeats the query. */
export function answerChat(body: unknown, text?: string): unknown {
  const { messages, model } = body as { messages: { content: string }[]; model: string };
  const query = (messages.at(-1)?.content ?? '').replace(/^Query: /, '');
  const content = text ?? `lex: ${query}\nvec: ${query}\nhyde: A note about ${query}.`;
  return {
    id: 'chat-1',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

/** The score is the share of the query's words that a text contains; the best text comes first, as in real servers. */
export function answerRerank(body: unknown): unknown {
  const { query, documents } = body as { query: string; documents: string[] };
  const wanted = wordsOf(query);
  const results = documents.map((text, index) => {
    const words = new Set(wordsOf(text));
    const found = wanted.filter((word) => words.has(word)).length;
    return { index, relevance_score: found / Math.max(wanted.length, 1) };
  });
  return { results: results.toSorted((a, b) => b.relevance_score - a.relevance_score) };
}

function vectorOf(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.001);
  for (const word of wordsOf(text)) {
    const place = createHash('sha256').update(word).digest().readUInt32LE() % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
