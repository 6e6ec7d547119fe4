import { parentPort, workerData } from 'node:worker_threads';
import { compare } from './comparison.ts';
import type { CompareRequest } from './comparison.ts';

parentPort?.postMessage(compare(workerData as CompareRequest));
