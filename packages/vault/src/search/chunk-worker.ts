import { parentPort, workerData } from 'node:worker_threads';
import { createLayout } from '../vault/index.ts';
import { chunkBytes } from './chunk-bytes.ts';
import type { ChunkRequest } from './chunk-in-worker.ts';

const { path, bytes, names } = workerData as ChunkRequest;
parentPort?.postMessage(chunkBytes(path, Buffer.from(bytes.buffer), createLayout(names)));
