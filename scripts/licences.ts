import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Chunk = { type: string; moduleIds?: string[]; originalFileNames?: string[] };

/** Lists the bundled packages with their licence texts, as the licences require. */
export function licencesOf(chunks: readonly Chunk[]): string {
  const folders = chunks
    .flatMap(({ moduleIds = [], originalFileNames = [] }) => [...moduleIds, ...originalFileNames])
    // The files of the web interface, such as fonts, are named relative to its folder.
    .map((id) => id.replace(/^(?:\.\.\/)+node_modules\//, `${process.cwd()}/node_modules/`))
    .flatMap((id) => /^(?:\0)?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
  return [...new Set(folders)]
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name: string;
        version: string;
        license: string;
      };
      const texts = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
      const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
      return `## ${name} ${version} (${license})\n\n${text}\n`;
    })
    .toSorted()
    .join('\n');
}

/** Lists the same packages in CycloneDX format. */
export function bundledIn(licences: string): { 'bom-ref': string; [field: string]: string }[] {
  return [...licences.matchAll(/^## (\S+) (\S+) \(.*\)$/gm)].map(([, name = '', version = '']) => ({
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  }));
}
