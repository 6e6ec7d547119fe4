import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const minBytes = 1_000;

/**
 * Writes `<file>.br` next to each script, style sheet and drawing of the built interface. Browsers that accept only gzip
 * get that from the server.
 */
export async function compressAssets(folder: string): Promise<void> {
  await Promise.all(
    globSync(`${folder}/**/*.{js,css,svg}`).map(async (file) => {
      const plain = readFileSync(file);
      if (plain.length < minBytes) return;
      // The best quality takes very long on large files, which are loaded on demand only.
      const quality = plain.length > 400_000 ? 9 : 11;
      const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(plain, { params }));
    }),
  );
}
