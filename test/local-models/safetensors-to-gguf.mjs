// Minimal BERT safetensors -> GGUF v3 converter (no dependencies).
// usage: node st2gguf.mjs <modelDir|weights> <tokenizer.json> <config.json> <out.gguf> [name] [outtype f16|f32]
import fs from 'node:fs';
const [, , wPath, tokPath, cfgPath, out, name = 'bert', outtype = 'f16'] = process.argv;
const cfg = JSON.parse(fs.readFileSync(cfgPath, 'utf8'));
const tok = JSON.parse(fs.readFileSync(tokPath, 'utf8'));
const buf = fs.readFileSync(wPath);
const hl = Number(buf.readBigUInt64LE(0));
const hdr = JSON.parse(buf.subarray(8, 8 + hl).toString('utf8'));
const base = 8 + hl;
const f16to32 = (h) => {
  const s = h & 0x8000 ? -1 : 1,
    e = (h >> 10) & 31,
    m = h & 1023;
  if (e === 0) return s * m * 2 ** -24;
  if (e === 31) return m ? NaN : s * Infinity;
  return s * (1 + m / 1024) * 2 ** (e - 15);
};
const fb = new Float32Array(1),
  ib = new Uint32Array(fb.buffer);
const f32to16 = (v) => {
  fb[0] = v;
  const x = ib[0],
    s = (x >>> 16) & 0x8000;
  let e = ((x >>> 23) & 255) - 127 + 15,
    m = x & 0x7fffff;
  if (e >= 31) return s | 0x7c00;
  if (e <= 0) {
    if (e < -10) return s;
    m |= 0x800000;
    const sh = 14 - e;
    let r = m >> sh;
    if ((m >> (sh - 1)) & 1) r++;
    return s | r;
  }
  let r = s | (e << 10) | (m >> 13);
  if (m & 0x1000) r++;
  return r;
};
function load(n) {
  const t = hdr[n];
  if (!t) return null;
  const [a, b] = t.data_offsets;
  const d = buf.subarray(base + a, base + b);
  const cnt = t.shape.reduce((x, y) => x * y, 1);
  const o = new Float32Array(cnt);
  if (t.dtype === 'F32') {
    const c = Buffer.from(d);
    for (let i = 0; i < cnt; i++) o[i] = c.readFloatLE(i * 4);
  } else if (t.dtype === 'F16') {
    for (let i = 0; i < cnt; i++) o[i] = f16to32(d.readUInt16LE(i * 2));
  } else if (t.dtype === 'BF16') {
    for (let i = 0; i < cnt; i++) {
      ib[0] = d.readUInt16LE(i * 2) << 16;
      o[i] = fb[0];
    }
  } else throw new Error('dtype ' + t.dtype);
  return { shape: t.shape, data: o };
}
const pre = Object.keys(hdr).some((k) => k.startsWith('bert.')) ? 'bert.' : '';
const map = [
  ['embeddings.word_embeddings.weight', 'token_embd.weight'],
  ['embeddings.position_embeddings.weight', 'position_embd.weight', 1],
  ['embeddings.token_type_embeddings.weight', 'token_types.weight', 1],
  ['embeddings.LayerNorm.weight', 'token_embd_norm.weight'],
  ['embeddings.LayerNorm.bias', 'token_embd_norm.bias'],
];
for (let i = 0; i < cfg.num_hidden_layers; i++) {
  const p = `encoder.layer.${i}.`,
    g = `blk.${i}.`;
  for (const [a, b] of [
    ['attention.self.query', 'attn_q'],
    ['attention.self.key', 'attn_k'],
    ['attention.self.value', 'attn_v'],
    ['attention.output.dense', 'attn_output'],
    ['attention.output.LayerNorm', 'attn_output_norm'],
    ['intermediate.dense', 'ffn_up'],
    ['output.dense', 'ffn_down'],
    ['output.LayerNorm', 'layer_output_norm'],
  ])
    for (const s of ['weight', 'bias']) map.push([p + a + '.' + s, g + b + '.' + s]);
}
// optional cross-encoder head (BertForSequenceClassification)
if (hdr['classifier.weight']) {
  map.push(
    ['!bert.pooler.dense.weight', 'cls.weight'],
    ['!bert.pooler.dense.bias', 'cls.bias'],
    ['!classifier.weight', 'cls.output.weight'],
    ['!classifier.bias', 'cls.output.bias'],
  );
}
const tensors = [];
for (const [src, dst, f32] of map) {
  const t = load(src.startsWith('!') ? src.slice(1) : pre + src);
  if (!t) throw new Error('missing ' + src);
  const is32 = f32 || t.shape.length === 1 || outtype === 'f32';
  tensors.push({ dst, ...t, type: is32 ? 0 : 1 });
}
// ---- vocab (WordPiece)
const vocab = [];
for (const [k, v] of Object.entries(tok.model.vocab)) vocab[v] = k;
const special = new Set((tok.added_tokens || []).filter((t) => t.special).map((t) => t.content));
const unk = tok.model.unk_token || '[UNK]';
const toks = vocab.map((t) => {
  if (special.has(t) || /^\[.*\]$/.test(t)) return t;
  return t.startsWith('##') ? t.slice(2) : '\u2581' + t;
});
const types = vocab.map((t) => (special.has(t) ? 3 : t === unk ? 2 : 1));
// ---- writer
const parts = [];
let len = 0;
const w = (b) => {
  parts.push(b);
  len += b.length;
};
const u32 = (v) => {
    const b = Buffer.alloc(4);
    b.writeUInt32LE(v);
    return b;
  },
  u64 = (v) => {
    const b = Buffer.alloc(8);
    b.writeBigUInt64LE(BigInt(v));
    return b;
  },
  f32 = (v) => {
    const b = Buffer.alloc(4);
    b.writeFloatLE(v);
    return b;
  },
  str = (s) => {
    const b = Buffer.from(s, 'utf8');
    return Buffer.concat([u64(b.length), b]);
  };
const kv = [];
const K = (k, t, b) => kv.push(Buffer.concat([str(k), u32(t), b]));
const KU = (k, v) => K(k, 4, u32(v)),
  KF = (k, v) => K(k, 6, f32(v)),
  KB = (k, v) => K(k, 7, Buffer.from([v ? 1 : 0])),
  KS = (k, v) => K(k, 8, str(v));
KS('general.architecture', 'bert');
KS('general.name', name);
KU('general.file_type', outtype === 'f32' ? 0 : 1);
KU('general.quantization_version', 2);
KU('bert.block_count', cfg.num_hidden_layers);
KU('bert.context_length', cfg.max_position_embeddings);
KU('bert.embedding_length', cfg.hidden_size);
KU('bert.feed_forward_length', cfg.intermediate_size);
KU('bert.attention.head_count', cfg.num_attention_heads);
KF('bert.attention.layer_norm_epsilon', cfg.layer_norm_eps);
KB('bert.attention.causal', false);
KU('bert.pooling_type', hdr['classifier.weight'] ? 4 : process.env.POOL === 'cls' ? 2 : 1); // 1=mean 2=cls 4=rank
KS('tokenizer.ggml.model', 'bert');
KS('tokenizer.ggml.pre', 'jina-v2-en');
KU('tokenizer.ggml.token_type_count', cfg.type_vocab_size || 2);
K('tokenizer.ggml.tokens', 9, Buffer.concat([u32(8), u64(toks.length), ...toks.map(str)]));
{
  const b = Buffer.alloc(types.length * 4);
  types.forEach((v, i) => b.writeInt32LE(v, i * 4));
  K('tokenizer.ggml.token_type', 9, Buffer.concat([u32(5), u64(types.length), b]));
}
const id = (t) => tok.model.vocab[t];
for (const [k, t] of [
  ['bos', '[CLS]'],
  ['eos', '[SEP]'],
  ['cls', '[CLS]'],
  ['seperator', '[SEP]'],
  ['unknown', unk],
  ['padding', '[PAD]'],
  ['mask', '[MASK]'],
])
  if (id(t) !== undefined) KU(`tokenizer.ggml.${k}_token_id`, id(t));
KB('tokenizer.ggml.add_bos_token', true);
KB('tokenizer.ggml.add_eos_token', true);
w(Buffer.from('GGUF'));
w(u32(3));
w(u64(tensors.length));
w(u64(kv.length));
kv.forEach(w);
const AL = 32;
let off = 0;
for (const t of tensors) {
  t.bytes = t.data.length * (t.type === 0 ? 4 : 2);
  t.off = off;
  off += Math.ceil(t.bytes / AL) * AL;
  const dims = t.shape.toReversed();
  w(str(t.dst));
  w(u32(dims.length));
  dims.forEach((d) => w(u64(d)));
  w(u32(t.type));
  w(u64(t.off));
}
w(Buffer.alloc((AL - (len % AL)) % AL));
for (const t of tensors) {
  const b = Buffer.alloc(Math.ceil(t.bytes / AL) * AL);
  if (t.type === 0) for (let i = 0; i < t.data.length; i++) b.writeFloatLE(t.data[i], i * 4);
  else for (let i = 0; i < t.data.length; i++) b.writeUInt16LE(f32to16(t.data[i]), i * 2);
  w(b);
}
fs.writeFileSync(out, Buffer.concat(parts));
console.log('wrote', out, len, 'bytes', tensors.length, 'tensors', toks.length, 'tokens');
