import type { ProgramDefinition } from '../../../vault/src/cli/index.ts';

export const benchmarkProgram: ProgramDefinition = {
  name: 'keepsake-benchmark',
  description: 'Measure how well a memory finds, files and answers.',
  commands: [
    { names: ['retrieval'], load: async () => (await import('./retrieval.ts')).retrievalCommand },
    {
      names: ['filing', 'answers', 'compare'],
      load: async () => (await import('./evaluate.ts')).evaluationCommands,
    },
    { names: ['check'], load: async () => (await import('./check.ts')).checkCommand },
    { names: ['import'], load: async () => (await import('./import.ts')).importCommand },
    { names: ['generate'], load: async () => (await import('./generate.ts')).generateCommand },
  ],
};
