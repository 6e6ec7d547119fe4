import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Puts a program alone into a `.zip` or `.tar.gz`, with the same bytes for the same program. */
export async function compressExecutable(program: string, archive: string): Promise<void> {
  if (archive.endsWith('.zip')) {
    const zip = new ZipFile();
    zip.addFile(program, basename(program), { mtime: new Date(0), mode: 0o100755 });
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(archive));
    return;
  }
  const same = ['--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '--use-compress-program=gzip -n'];
  execFileSync('tar', ['-cf', archive, ...same, '-C', dirname(program), basename(program)]);
}
