import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

type Entry = { name: string; modifiedAt: number; read: () => Promise<Uint8Array> };

/**
 * Streams an archive. Each file is read when its turn has come and the client has received the earlier ones, so that an archive of
 * any size needs the memory of one file. A file that cannot be read breaks the archive off, because an incomplete one would pass as
 * a complete one.
 */
export function streamZip(entries: Iterable<Entry>): ReadableStream<Uint8Array> {
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, modifiedAt, read } of entries)
    zip.addReadStreamLazy(name, { mtime: new Date(modifiedAt) }, (start) => {
      const content = Readable.from(readWhenAsked(read));
      content.on('error', (error) => output.destroy(error));
      start(null, content);
    });
  zip.end();
  return Readable.toWeb(output) as ReadableStream<Uint8Array>;
}

async function* readWhenAsked(read: Entry['read']): AsyncGenerator<Uint8Array> {
  yield await read();
}
