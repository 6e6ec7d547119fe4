// Gets a real embedding model for tests, once. Where it cannot be had, tests that need it say so and are skipped.
import { prepareRealModel } from './real-model.ts';

const problem = await prepareRealModel();
console.log(problem === null ? 'ready' : `skipped: ${problem}`);
