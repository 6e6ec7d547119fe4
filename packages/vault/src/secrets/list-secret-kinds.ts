import { findSecretsYielding } from './find-secrets-yielding.ts';

/** Lists the kinds of secrets that a text seems to contain, each once. Yields to the event loop while it scans a long text. */
export async function listSecretKinds(text: string): Promise<string[]> {
  return [...new Set((await findSecretsYielding(text)).map(({ kind }) => kind))];
}
