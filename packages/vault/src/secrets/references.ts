/** A value that only refers to a secret, such as `$TOKEN`, `{{ token }}` or `op://vault/item`, or stands for one, such as `<token>`. */
export function isReference(value: string): boolean {
  return referencePatterns.some((pattern) => pattern.test(value));
}

const referencePatterns: readonly RegExp[] = [
  /^\$(?:[{(]|env:|(?:[a-z_]+|[A-Z_][A-Z0-9_]*)(?![A-Za-z0-9_]))/,
  /^[<{([«*]/,
  /^%[A-Za-z_][A-Za-z0-9_]*%/,
  /^@[A-Za-z_]+@?$/,
  /^(?:process|env|os|import\.meta|secrets|vars|config|settings|self|this)\./,
  /^(?:op|vault|secret|secretsmanager|ssm|keychain|keyring|file|env|awssm|gcpsm|sops|bw|pass):/i,
  /^arn:/,
  /^(?:~|\.{1,2})?\/[\w.-]+\/[\w./-]+$/,
  /^(.)\1{3,}$/,
  /^(?:your|my|insert|enter|replace|put|some|the)[-_][a-z_.-]*$/i,
  /^(?:change[-_]?me|example|placeholder|redacted|removed|hidden|secret|password|todo|string|number|boolean|required|optional|undefined|unchanged|disabled|enabled)$/i,
  /^[x.…*#_-]+$/i,
];

/** Whether an unquoted value is an expression in a program: a call, an index, or a member of an object. */
export function isCode(run: string): boolean {
  const [chain = '', ...calls] = run.split(/[([]/);
  const isChain = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*[!;,)]*$/.test(chain);
  return isChain && (calls.length > 0 || (chain.includes('.') && !/\d[A-Za-z]+\d/.test(chain)));
}

/** A word, or several with hyphens, as in a text that people read. */
export function isPlainWord(value: string): boolean {
  return /^[A-Za-zÀ-ÿ]?[a-zà-ÿ]+(?:[-_ ][a-zà-ÿ]+)*$/.test(value);
}

/** `color.primary.500`, `tenant-42` */
export function isDottedName(value: string): boolean {
  return /^[a-z]+(?:[._-](?:[a-z]+|\d{1,4}))+$/.test(value);
}
