import { mkdirSync } from 'node:fs';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { undoRandomChanges } from '../undo-random-changes.ts';
import { Place } from './scenario.ts';

/** Makes random changes with later edits and undoes one of them each time: the inverse is exact, and later edits are kept. */
export async function undoCampaign(count: number): Promise<number> {
  const place = new Place();
  mkdirSync(place.vault);
  const { vault, state } = place;
  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  try {
    const tally = await undoRandomChanges({ ...keepsake, folder: vault }, count);
    console.log(`undo: ${JSON.stringify(tally)}`);
    // All outcomes must have occurred, or the changes were not random enough.
    return tally.undone === 0 || tally.refused === 0 || tally.recorded === 0 ? 1 : 0;
  } catch (error) {
    console.log('FAILED', error);
    return 1;
  } finally {
    await keepsake.close();
    place.remove();
  }
}
