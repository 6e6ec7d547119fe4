import { AppError } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { planChange } from './change-file.ts';
import { clientNamed } from './client.ts';
import { readMachine } from './machine.ts';
import { placeFor } from './place.ts';

/** Whether the person's configuration of a client names Keepsake; not where it cannot be read. */
export function hasEntry(name: string, environment: Environment): boolean {
  const client = clientNamed(name);
  if (client.personal === null) return false;
  try {
    const place = placeFor(client, readMachine(environment), { present: environment.home });
    const { before, outcome } = planChange(client, null, place);
    return before !== null && outcome === 'changed';
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
