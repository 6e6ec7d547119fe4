/**
 * The path for an image of this note: in the bucket that contains the note, otherwise in the bucket of its project or
 * of the vault.
 */
export function imagePath(note: string, projects: string, name: string, count: number): string {
  const folders = note.split('/').slice(0, -1);
  const bucket = folders.lastIndexOf('bucket');
  const depth = projects.split('/').length + 1;
  const isInProject = note.startsWith(`${projects}/`) && folders.length >= depth;
  const folder = bucket >= 0 ? folders.slice(0, bucket) : isInProject ? folders.slice(0, depth) : [];
  const [, start = '', end = '.png'] = /^(.*?)(\.\w+)?$/.exec(name) ?? [];
  const plain = start
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  const last = `${plain === '' ? 'image' : plain}${count === 1 ? '' : `-${count}`}${end.toLowerCase()}`;
  return [...folder, 'bucket', last].join('/');
}
