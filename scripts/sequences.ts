// Regenerates the sequences of packages/benchmark/data/filing after a change of the generator.
import { writePublishedSequences } from '../packages/benchmark/src/eval/index.ts';

writePublishedSequences('packages/benchmark/data/filing');
