const placeholder = '[secret removed]';

/** Known prefixes of API keys, each with the minimum number of characters that follow. */
const prefixes: [string, number][] = [
  ['sk-', 16],
  ['(?:sk|rk|pk)_(?:live|test)_', 10],
  ['whsec_', 16],
  ['gh[opsur]_', 20],
  ['github_pat_', 20],
  ['gl(?:pat|dt|rt|ptt|oas|soat|cbt|imt|agent|ffct)-', 16],
  ['gl(?:c|sa)_', 20],
  ['xox[a-z](?:\\.xox[a-z])?-', 10],
  ['xapp-', 16],
  ['(?:AKIA|ASIA|ABIA|ACCA)(?=[A-Z0-9]{16})', 16],
  ['AIza', 30],
  ['ya29\\.', 20],
  ['GOCSPX-', 20],
  ['npm_', 30],
  ['pypi-', 30],
  ['rubygems_', 30],
  ['crates?-io_|cio', 30],
  ['do[opr]_v1_', 30],
  ['hf_', 24],
  ['r8_', 24],
  ['gsk_', 24],
  ['xai-', 24],
  ['pplx-', 24],
  ['SG\\.', 30],
  ['sq0(?:atp|csp|idp)-', 16],
  ['shp(?:at|ca|pa|ss)_', 20],
  ['AGE-SECRET-KEY-1', 30],
  ['hv[sbr]\\.', 20],
  ['tskey-', 16],
  ['dckr_pat_', 20],
  ['lin_api_', 20],
  ['ntn_', 20],
  ['figd_', 20],
  ['PMAK-', 24],
  ['sbp_', 24],
  ['ATATT3', 30],
  ['dapi', 32],
  ['NRAK-', 20],
  ['phc_|phx_', 24],
  ['sntr[ysu]s?_', 24],
  ['EAA[A-Z]', 40],
  ['key-(?=[0-9a-f]{32})', 32],
];

const start = '(?<![A-Za-z0-9_-])';
const prefixPatterns = prefixes.map(
  ([prefix, length]) => new RegExp(`${start}(?:${prefix})[A-Za-z0-9_.=+/-]{${length},}`, 'g'),
);

/** A value that only refers to a secret: `$TOKEN`, `${TOKEN}`, `<token>`, `env.X`, `********`. */
const reference = String.raw`["']?(?:\$(?:[{(]|(?:[A-Za-z_]+|(?-i:[A-Z_][A-Z0-9_]*))(?![A-Za-z0-9_]))|[<{(*[]|process\.|env\.|os\.)`;
const secretName =
  'pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_ -]?key|access[_ -]?key|private[_ -]?key|client[_ -]?secret|account[_ -]?key|credentials?|mot de passe';

/** Assignments to a name that ends with a word such as password or token. */
const assignmentPattern = new RegExp(
  String.raw`(?<![A-Za-z0-9_.-])([A-Za-z0-9_.-]{0,80}?(?:${secretName})["']?\s*(?::=|=>|[:=]|\bis\b|\best\b)\s*["'` +
    '`' +
    String.raw`]?)(?!${reference})([^\s"'` +
    '`' +
    String.raw`,;<>{}()]{6,})`,
  'gi',
);
/** Command-line options such as `--password x` and `-u user:password`. */
const optionPattern = new RegExp(
  String.raw`((?<!\S)--[a-z-]{0,40}(?:password|passphrase|secret|token|api-key)[= ]\s*["']?)(?!${reference}|-)([^\s"']{6,})`,
  'gi',
);
const userOptionPattern = new RegExp(
  String.raw`((?<!\S)(?:-u|--user)[= ]\s*["']?(?!${reference})[^\s:"']{1,100}:)(?!${reference})([^\s"']{4,})`,
  'g',
);

const fixedPatterns: RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
  ...prefixPatterns,
];

const authorizationPattern = new RegExp(
  String.raw`\b(authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+)(?!${reference})([^\s"',;]{8,})`,
  'gi',
);
const authSchemePattern = /\b([Bb]earer|BEARER|[Bb]asic|Token)(\s+)([A-Za-z0-9._~+/=-]{16,})/g;
/** The password may contain `@`; it ends at the last one before the path. */
const urlCredentialPattern = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/:@]{0,200}:[^\s/]{1,200}@/gi;
const highEntropyPattern = /(?<![A-Za-z0-9+/_=.@-])[A-Za-z0-9+_-]{32,}={0,2}(?![A-Za-z0-9+/_=.@-])/g;

/** Replaces text that looks like a key or a password. Must run before anything is written to disk. */
export function redactSecrets(text: string): { text: string; count: number } {
  let count = 0;
  const redact = (prefix: string): string => {
    count += 1;
    return `${prefix}${placeholder}`;
  };
  let clean = text;
  for (const pattern of fixedPatterns) clean = clean.replaceAll(pattern, () => redact(''));
  clean = clean
    .replaceAll(urlCredentialPattern, (_, scheme: string) => `${redact(scheme)}@`)
    .replaceAll(authorizationPattern, (_, before: string) => redact(before))
    .replaceAll(userOptionPattern, (_, before: string) => redact(before))
    .replaceAll(optionPattern, (_, before: string) => redact(before))
    .replaceAll(authSchemePattern, (all, scheme: string, space: string, value: string) =>
      hasLettersAndDigits(value) ? redact(`${scheme}${space}`) : all,
    )
    .replaceAll(assignmentPattern, (all, before: string, value: string) =>
      looksLikeSecretValue(before, value) ? redact(before) : all,
    )
    .replaceAll(highEntropyPattern, (word) => (hasHighEntropy(word) ? redact('') : word));
  return { text: clean, count };
}

/** After `=` any value may be a password; after a word such as "is", only one that mixes letters and digits. */
function looksLikeSecretValue(before: string, value: string): boolean {
  const isSaid = /\b(?:is|est)\s*["'`]?$/i.test(before) || /:\s+$/.test(before);
  if (/key["']?\s*[:=]/i.test(before) && value.length >= 20) return true;
  return isSaid
    ? hasLettersAndDigits(value)
    : !/^(?:true|false|null|none|undefined|string|required|optional)$/i.test(value);
}

function hasLettersAndDigits(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text);
}

/**
 * Whether a word is a random mix of upper and lower case letters and digits; excludes hashes of files or commits, and
 * names.
 */
function hasHighEntropy(word: string): boolean {
  if (/^sha\d+-/.test(word)) return false;
  const counts = [/[a-z]/g, /[A-Z]/g, /\d/g].map((kind) => word.match(kind)?.length ?? 0);
  return counts.every((each) => each >= 3) && shannonEntropy(word) >= 4.2;
}

/** Shannon entropy in bits per character. */
function shannonEntropy(word: string): number {
  const counts = new Map<string, number>();
  for (const sign of word) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts.values()].reduce(
    (sum, each) => sum - (each / word.length) * Math.log2(each / word.length),
    0,
  );
}
