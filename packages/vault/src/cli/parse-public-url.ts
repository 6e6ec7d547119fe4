import { InvalidArgumentError } from 'commander';
import { isLoopback } from '../server/index.ts';

/** Parses a public URL. It must use https, because plain http is only safe on loopback. */
export function parsePublicUrl(text: string): string {
  const url = URL.parse(text);
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === null || !isSecure || `${url.origin}/` !== url.href)
    throw new InvalidArgumentError(
      'Expected an https:// origin without a path, for example https://notes.example.org.',
    );
  return url.origin;
}
