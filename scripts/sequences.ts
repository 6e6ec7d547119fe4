// Writes the sequences of eval-data/filing anew, after a change of what makes them.
import { writePublishedSequences } from '../packages/benchmark/src/eval/index.ts';

writePublishedSequences('eval-data/filing');
