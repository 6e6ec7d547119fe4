import { InvalidArgumentError } from 'commander';
import { isLoopback } from '../server/index.ts';

/** Others may read what is not encrypted; of a machine itself nobody else sees anything. */
export function publicAddress(text: string): string {
  const url = URL.parse(text);
  const isKept = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === null || !isKept || `${url.origin}/` !== url.href)
    throw new InvalidArgumentError('It must be https://, a name and nothing behind it.');
  return url.origin;
}
