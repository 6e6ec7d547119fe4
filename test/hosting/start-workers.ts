import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { ObjectStoreSettings, WorkerOptions } from '../../packages/service/src/hosting/index.ts';
import { processVariables, serviceProgram } from '../process-variables.ts';
import type { TestDatabases } from './postgres.ts';

type Stores = { databases: Pick<TestDatabases, 'urlOf'>; settings: ObjectStoreSettings };

/** Starts the workers of a node as processes; `children` are all that were started. */
export function startWorkers(
  { databases, settings }: Stores,
  { count = 1, home }: { count?: number; home: string },
): WorkerOptions & { children: ChildProcess[] } {
  const children: ChildProcess[] = [];
  const env = {
    ...processVariables,
    HOME: home,
    KEEPSAKE_DATABASE_URL: databases.urlOf('service'),
    KEEPSAKE_S3_ENDPOINT: settings.endpoint,
    KEEPSAKE_S3_BUCKET: settings.bucket,
    AWS_ACCESS_KEY_ID: settings.accessKeyId,
    AWS_SECRET_ACCESS_KEY: settings.secretAccessKey,
  };
  return {
    count,
    children,
    pingIntervalMs: 500,
    start(name) {
      const child = fork(serviceProgram, ['worker', name], {
        env,
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      children.push(child);
      return child;
    },
  };
}
