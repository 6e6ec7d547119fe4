import { AppError } from '../app/index.ts';
import { limits } from './source.ts';

export function tooLarge(source: string): AppError {
  return new AppError('bad-input', `${source} is over ${limits.bytes / 1e9} GB`, {
    mend: 'import its folders one by one',
  });
}
