import type { ProgramDefinition } from '../../../vault/src/cli/index.ts';

export const serviceProgram: ProgramDefinition = {
  name: 'keepsake-service',
  description: 'Run and administer a multi-vault service on PostgreSQL and an object store.',
  commands: [
    { names: ['node'], load: async () => (await import('./node.ts')).nodeCommand },
    { names: ['worker'], isHidden: true, load: async () => (await import('./worker.ts')).workerCommand },
    { names: ['cluster'], load: async () => (await import('./cluster.ts')).clusterCommand },
  ],
};
