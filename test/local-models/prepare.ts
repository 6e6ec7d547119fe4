// Downloads a real embedding model for tests, once. Without it, tests that need it are skipped with a message.
import { prepareRealModel } from './real-model.ts';

const problem = await prepareRealModel();
console.log(problem === null ? 'ready' : `skipped: ${problem}`);
