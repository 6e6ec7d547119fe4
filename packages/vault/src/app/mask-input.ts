import { createHash, randomUUID } from 'node:crypto';
import type { UpdateInput } from '../contract/index.ts';
import type { AcceptedSecrets } from '../queue/index.ts';
import { maskSecrets, nameSecretKind } from '../secrets/index.ts';
import { fileKindOf } from '../vault/index.ts';
import type { Language } from '../vault/index.ts';

type MaskedInput = {
  /** The input with masks in place of the secrets. */
  input: UpdateInput;
  /** Undefined if there are none. */
  secrets: AcceptedSecrets | undefined;
  /** One sentence for each text that contained a secret. */
  warnings: string[];
};

/**
 * Takes the secrets out of an input before it is stored, so that they are in one place only until the user decides. The same key gives the
 * same masks, so that a repeated request is recognized.
 */
export async function maskInput(
  input: UpdateInput,
  key: string | undefined,
  language: Language,
): Promise<MaskedInput> {
  const notes = input.files.filter(({ name }) => fileKindOf(name) === 'markdown');
  const originals = [input.text, ...notes.map(({ bytes }) => Buffer.from(bytes).toString())];
  const label = createHash('sha256')
    .update(key ?? randomUUID())
    .digest('hex')
    .slice(0, 8);
  const { texts, secrets } = await maskSecrets(originals, {
    label,
    nameOf: (kind) => nameSecretKind(kind, language),
  });
  if (secrets.length === 0) return { input, secrets: undefined, warnings: [] };
  const isKept = input.keepSecrets === true;
  const masked = new Map(notes.map((file, index) => [file, texts[index + 1] ?? '']));
  const files = input.files.map((file) => {
    const text = masked.get(file);
    const isMasked = text !== undefined && text !== originals[notes.indexOf(file) + 1];
    return isMasked ? { ...file, bytes: Buffer.from(text) } : file;
  });
  const names = ['the text', ...notes.map(({ name }) => name)];
  const warnings = texts.flatMap((text, index) => {
    const kinds = new Set(secrets.filter(({ mask }) => text.includes(mask)).map(({ kind }) => kind));
    return kinds.size === 0 ? [] : [formatWarning(names[index] ?? '', [...kinds], isKept)];
  });
  return {
    input: { ...input, text: texts[0] ?? '', files, secretLabel: label },
    secrets: { label, isKept, secrets },
    warnings,
  };
}

function formatWarning(name: string, kinds: readonly string[], isKept: boolean): string {
  const next = isKept ? 'it is stored in plain text' : 'an inbox question will ask whether to keep it';
  return `${name} seems to contain a secret (${kinds.join(', ')}); the model gets a mask instead, and ${next}`;
}
