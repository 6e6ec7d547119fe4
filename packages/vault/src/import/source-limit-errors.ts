import { AppError } from '../app/index.ts';
import { importLimits } from './source.ts';

export function sourceTooLargeError(source: string): AppError {
  return new AppError('bad-input', `${source} is larger than ${importLimits.bytes / 1e9} GB`, {
    hint: 'import its subfolders one by one',
  });
}
