import { findSecrets } from './find-secrets.ts';

const placeholder = '[secret removed]';

/** Replaces text that looks like a key, a token or a password. Text that goes to disk unseen, or to a log, passes through it first. */
export function redactSecrets(text: string): { text: string; count: number } {
  const secrets = findSecrets(text);
  let clean = '';
  let end = 0;
  for (const secret of secrets) {
    clean += `${text.slice(end, secret.start)}${placeholder}`;
    ({ end } = secret);
  }
  return { text: `${clean}${text.slice(end)}`, count: secrets.length };
}
