import { parentPort, workerData } from 'node:worker_threads';
import { compare } from './comparison.ts';
import type { CompareRequest } from './comparison.ts';
import { answerRemovalRequest } from './find-removed-text.ts';
import type { RemovalRequest } from './find-removed-text.ts';

const request = workerData as CompareRequest | RemovalRequest;
parentPort?.postMessage(request.kind === 'removal' ? answerRemovalRequest(request) : compare(request));
