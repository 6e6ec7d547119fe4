// Writes the sequences of packages/benchmark/data/filing anew, after a change of what makes them.
import { writePublishedSequences } from '../packages/benchmark/src/eval/index.ts';

writePublishedSequences('packages/benchmark/data/filing');
