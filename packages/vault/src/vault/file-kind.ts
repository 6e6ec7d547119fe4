/** The kind of a file by its name. Only markdown and images are read for more than size and date. */
export type FileKind = 'markdown' | 'image' | 'other';

const kinds = new Map<string, FileKind>([
  ['md', 'markdown'],
  ['markdown', 'markdown'],
  ['png', 'image'],
  ['jpg', 'image'],
  ['jpeg', 'image'],
  ['gif', 'image'],
  ['webp', 'image'],
]);

/** Whether the name is that of a document whose text can be extracted. */
export function isDocumentName(name: string): boolean {
  return /.\.(?:pdf|docx|eml|html?|txt|csv)$/i.test(name);
}

/** Whether the name is that of a document whose text needs no conversion if it is UTF-8. */
export function isPlainTextName(name: string): boolean {
  return /\.(?:txt|csv)$/i.test(name);
}

export function fileKindOf(name: string): FileKind {
  const dot = name.lastIndexOf('.');
  return (dot > 0 && kinds.get(name.slice(dot + 1).toLowerCase())) || 'other';
}
