import { findSecretsYielding } from './find-secrets-yielding.ts';

/** What looks like a secret in a text; its line counts from 1. */
export type LocatedSecret = { line: number; kind: string; value: string };

/** Finds secrets with their lines. Yields to the event loop while it scans a long text. */
export async function locateSecrets(text: string): Promise<LocatedSecret[]> {
  let [line, counted] = [1, 0];
  return (await findSecretsYielding(text)).map(({ start, end, kind }) => {
    line += text.slice(counted, start).split('\n').length - 1;
    counted = start;
    return { line, kind, value: text.slice(start, end) };
  });
}

/** Where a secret is in a vault, without the secret. */
export type SecretPlace = { path: string; line: number; kind: string };

/** Formats a place, such as `vault/bucket/wifi.md:3 (password)`. */
export function formatSecretPlace({ path, line, kind }: SecretPlace): string {
  return `${path}:${line} (${kind})`;
}
