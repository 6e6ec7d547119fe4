// npm run site [-- --repository <owner>/<name>]: builds the documentation site in site/ and checks every link.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { brokenLinks } from './broken-links.ts';

const { values } = parseArgs({ options: { repository: { type: 'string' } } });
const { repository } = values;
const { status } = spawnSync('node_modules/.bin/vitepress', ['build', 'docs'], {
  stdio: 'inherit',
  env: { ...process.env, ...(repository === undefined ? {} : { SITE_REPOSITORY: repository }) },
});
if (status !== 0) process.exit(1);
const { links, broken } = brokenLinks('site', `/${repository?.split('/')[1] ?? ''}`);
for (const each of broken) console.error(each);
console.log(`site: ${links} links, ${broken.length} broken`);
process.exitCode = broken.length === 0 ? 0 : 1;
