// node run-vitest.mjs <path>…: runs tests of the repository. Runs in Wine, where the repository is in this folder.
import { pathToFileURL } from 'node:url';

process.chdir('Z:\\w\\repository');
process.argv = [
  process.argv[0],
  'vitest',
  'run',
  '--no-color',
  '--project',
  'shared',
  '--project',
  'isolated',
  ...process.argv.slice(2),
];
await import(pathToFileURL('Z:\\w\\repository\\node_modules\\vitest\\vitest.mjs').href);
