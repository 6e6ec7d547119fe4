// Bounded work: an overview full of opening status marks delays the filing of an update by no more than seconds.
import { startModel } from './lib/model.mjs';
import { broken, held, keepsake, newVault } from './lib/world.mjs';

await newVault({ 'overview.md': `# Overview\n\n${'<!-- keepsake:status -->\n'.repeat(80_000)}` });
const content = '# 2025-07-14\n\n## Noted\nThe boiler.\n';
const model = await startModel((messages, index) =>
  index === 0
    ? { calls: [{ tool: 'append', input: { path: 'changelog.md', content, position: 'top' } }] }
    : { text: 'Noted.' },
);
const began = performance.now();
const { code, stdout, stderr } = await keepsake(['add', 'the boiler', '--wait'], {
  env: model.env,
  seconds: 15,
});
const seconds = Math.round((performance.now() - began) / 1_000);
if (code === null) broken(`filing one line takes more than ${seconds} s`);
if (model.requests.length === 0)
  broken(`the update was not filed: ${(stderr + stdout).trim().split('\n').at(-1)}`);
held();
