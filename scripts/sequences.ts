// Regenerates the sequences and the generated questions of packages/benchmark/data after a change of the generator.
import { writePublishedAnswers, writePublishedSequences } from '../packages/benchmark/src/eval/index.ts';

writePublishedSequences('packages/benchmark/data/filing');
writePublishedAnswers('packages/benchmark/data/answers');
