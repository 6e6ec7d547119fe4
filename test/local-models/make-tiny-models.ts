import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ggufFile } from './gguf-file.ts';
import type { Tensor } from './gguf-file.ts';

export type TinyModels = { expander: string; reranker: string };

/**
 * Writes models with the architectures of QMD's models, a few hundred kB each. Their weights are random but fixed, so
 * their output is meaningless; loading, prompting, grammars and ranking work as with the real ones.
 */
export function makeTinyModels(folder: string): TinyModels {
  mkdirSync(folder, { recursive: true });
  const files = {
    expander: join(folder, 'tiny-expander.gguf'),
    reranker: join(folder, 'tiny-reranker.gguf'),
  };
  writeFileSync(
    files.expander,
    ggufFile({ ...general, ...metadata, 'tokenizer.chat_template': chatTemplate }, layers()),
  );
  writeFileSync(
    files.reranker,
    ggufFile(
      {
        ...general,
        'qwen3.pooling_type': rankPooling,
        'qwen3.classifier.output_labels': ['yes', 'no'],
        ...metadata,
        'tokenizer.chat_template.rerank': rankTemplate,
      },
      [...layers(), random('cls.output.weight', [width, 2])],
    ),
  );
  return files;
}

const [width, blocks, heads, keyHeads, headWidth, inner, context] = [64, 2, 4, 2, 16, 128, 4096];
const rankPooling = 4;

// The words of the answers and prompts, and the markers of a turn.
const words = ['lex', 'vec', 'hyde', 'yes', 'no', 'user', 'assistant', 'system'];
const control = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];
const thoughts = ['<think>', '</think>'];

const { tokens, merges } = vocabulary();
const [ordinaryToken, controlToken, userDefinedToken] = [1, 3, 4];

const general = { 'general.architecture': 'qwen3', 'general.name': 'tiny' };
const metadata = {
  'qwen3.block_count': blocks,
  'qwen3.context_length': context,
  'qwen3.embedding_length': width,
  'qwen3.feed_forward_length': inner,
  'qwen3.attention.head_count': heads,
  'qwen3.attention.head_count_kv': keyHeads,
  'qwen3.attention.key_length': headWidth,
  'qwen3.attention.value_length': headWidth,
  'qwen3.attention.layer_norm_rms_epsilon': { float: 1e-6 },
  'qwen3.rope.freq_base': { float: 1_000_000 },
  'tokenizer.ggml.model': 'gpt2',
  'tokenizer.ggml.pre': 'qwen2',
  'tokenizer.ggml.tokens': [...tokens, ...control, ...thoughts],
  'tokenizer.ggml.token_type': [
    ...tokens.map(() => ordinaryToken),
    ...control.map(() => controlToken),
    ...thoughts.map(() => userDefinedToken),
  ],
  'tokenizer.ggml.merges': merges,
  'tokenizer.ggml.bos_token_id': tokens.length,
  'tokenizer.ggml.padding_token_id': tokens.length,
  'tokenizer.ggml.eos_token_id': tokens.length + 2,
  'tokenizer.ggml.add_bos_token': false,
};

const chatTemplate =
  "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
const rankTemplate =
  '<|im_start|>system\nyes or no<|im_end|>\n<|im_start|>user\n{query}\n{document}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n';

/** Every byte, and the words above, each with the merges that produce it. */
function vocabulary(): { tokens: string[]; merges: string[] } {
  const beginnings = words.flatMap((word) =>
    Array.from({ length: word.length - 1 }, (_, more) => word.slice(0, more + 2)),
  );
  return {
    tokens: [...new Set([...Array.from({ length: 256 }, (_, byte) => letterOf(byte)), ...beginnings])],
    merges: [...new Set(beginnings.map((word) => `${word.slice(0, -1)} ${word.slice(-1)}`))],
  };
}

/** As in GPT-2's vocabulary: printable bytes represent themselves, all others become characters from U+0100 on. */
function letterOf(byte: number): string {
  const isSeen = (code: number): boolean =>
    (code >= 33 && code <= 126) || (code >= 161 && code <= 255 && code !== 173);
  if (isSeen(byte)) return String.fromCharCode(byte);
  const before = Array.from({ length: byte }, (_, code) => code).filter((code) => !isSeen(code));
  return String.fromCharCode(256 + before.length);
}

function layers(): Tensor[] {
  const block = (index: number): Tensor[] => {
    const name = (part: string): string => `blk.${index}.${part}.weight`;
    return [
      ones(name('attn_norm'), width),
      random(name('attn_q'), [width, heads * headWidth]),
      random(name('attn_k'), [width, keyHeads * headWidth]),
      random(name('attn_v'), [width, keyHeads * headWidth]),
      random(name('attn_output'), [heads * headWidth, width]),
      ones(name('attn_q_norm'), headWidth),
      ones(name('attn_k_norm'), headWidth),
      ones(name('ffn_norm'), width),
      random(name('ffn_gate'), [width, inner]),
      random(name('ffn_up'), [width, inner]),
      random(name('ffn_down'), [inner, width]),
    ];
  };
  const embedding = random('token_embd.weight', [width, tokens.length + control.length + thoughts.length]);
  // Makes the model end a line now and then, so that its output has several lines.
  const lineEnd = tokens.indexOf(letterOf(10)) * width;
  for (let place = lineEnd; place < lineEnd + width; place += 1)
    embedding.values[place] = 2 * (embedding.values[place] ?? 0);
  return [
    embedding,
    ...Array.from({ length: blocks }, (_, index) => block(index)).flat(),
    ones('output_norm.weight', width),
  ];
}

function ones(name: string, length: number): Tensor {
  return { name, shape: [length], values: new Float32Array(length).fill(1) };
}

/** Values between -1 and 1, scaled down by the number of summands; each tensor has its own seed. */
function random(name: string, shape: readonly [number, number]): Tensor {
  let state = Buffer.from(name).reduce((hash, byte) => Math.imul(hash ^ byte, 16_777_619), 2_166_136_261);
  const next = (): number => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    return ((state >>> 0) / 2 ** 31 - 1) * Math.sqrt(3 / shape[0]);
  };
  return { name, shape, values: Float32Array.from({ length: shape[0] * shape[1] }, next) };
}
