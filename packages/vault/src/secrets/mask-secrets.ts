import { findSecretsYielding } from './find-secrets-yielding.ts';

/** A secret of an input and the mask that replaces it. */
export type MaskedSecret = {
  /** `[secret 7f3a91c2-1: password]` */
  mask: string;
  kind: string;
  value: string;
  /** The masked line in which it was found, shortened. */
  context: string;
};

type MaskOptions = {
  /** Eight hexadecimal digits that no other input has, so that a mask in a vault belongs to one input; empty if it is not stored. */
  label: string;
  /** The name of a kind as it is shown. Must not contain brackets. */
  nameOf: (kind: string) => string;
};

/**
 * Replaces the secrets of texts that belong together by masks. The same secret gets the same mask everywhere, also where only its value
 * is repeated.
 */
export async function maskSecrets(
  texts: readonly string[],
  { label, nameOf }: MaskOptions,
): Promise<{ texts: string[]; secrets: MaskedSecret[] }> {
  const secrets = new Map<string, MaskedSecret>();
  const masked: string[] = [];
  for (const text of texts) {
    let clean = '';
    let end = 0;
    for (const found of await findSecretsYielding(text)) {
      const value = text.slice(found.start, found.end);
      const number = `${label}${label === '' ? '' : '-'}${secrets.size + 1}`;
      const mask = `[secret ${number}: ${nameOf(found.kind)}]`;
      const secret = secrets.get(value) ?? { mask, kind: found.kind, value, context: '' };
      secrets.set(value, secret);
      clean += `${text.slice(end, found.start)}${secret.mask}`;
      ({ end } = found);
    }
    masked.push(`${clean}${text.slice(end)}`);
  }
  const all = [...secrets.values()];
  const repeated = all.filter(({ value }) => isDistinctive(value));
  const hidden = masked.map((text) =>
    repeated.reduce((clean, { value, mask }) => clean.replaceAll(value, () => mask), text),
  );
  return {
    texts: hidden,
    secrets: all.map((secret) => ({ ...secret, context: findContext(secret, hidden) })),
  };
}

const maxContextLength = 200;

function findContext({ mask }: MaskedSecret, texts: readonly string[]): string {
  const text = texts.find((each) => each.includes(mask)) ?? '';
  const at = text.indexOf(mask);
  const line =
    text.slice(text.lastIndexOf('\n', at) + 1, at + mask.length + maxContextLength).split('\n', 1)[0] ?? '';
  const inLine = line.indexOf(mask);
  const from = Math.max(0, inLine + mask.length - maxContextLength);
  return line.slice(from, from + Math.max(maxContextLength, mask.length)).trim();
}

/**
 * Replaces values by their masks. Numbers and short words are left alone unless `isExact`: in a text that is not about them, they are
 * usually something else.
 */
export function hideSecrets(text: string, secrets: readonly MaskedSecret[], isExact = false): string {
  let clean = text;
  for (const { value, mask } of secrets)
    for (const line of value.split('\n').map((each) => each.trim()))
      if (isDistinctive(line)) clean = clean.replaceAll(line, () => mask);
      else if (isExact && line.length > 2) clean = clean.replaceAll(wholeWord(line), () => mask);
  return clean;
}

function isDistinctive(value: string): boolean {
  return value.length >= 6 && !/^[\d .-]+$/.test(value) && !/^\p{L}+$/u.test(value);
}

function wholeWord(value: string): RegExp {
  const escaped = value.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'gu');
}

/** The kind may have been reworded. */
const maskPattern = /\[secret ([0-9a-f]{8})-(\d{1,5})\b[^\]\n]{0,80}\]/g;

/** Whether a text contains the mask of a stored secret. */
export function hasMask(text: string): boolean {
  return text.search(maskPattern) !== -1;
}

/** Replaces masks by the values that `findValue` returns; a mask without a value stays. */
export function restoreSecrets(
  text: string,
  findValue: (label: string, number: number) => string | undefined,
): string {
  return text.replaceAll(
    maskPattern,
    (mask, label: string, number: string) => findValue(label, Number(number)) ?? mask,
  );
}
