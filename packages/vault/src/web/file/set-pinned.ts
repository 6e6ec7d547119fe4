/** Adds the property `pinned: true` to a note or removes it, and keeps every other byte. */
export function setPinned(text: string, isPinned: boolean): string {
  const [, mark = '', rest = ''] = /^(\uFEFF?)([\s\S]*)$/.exec(text) ?? [];
  const end = rest.includes('\r\n') ? '\r\n' : '\n';
  const block = /^---[ \t]*\r?\n([\s\S]*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (block === null || block.index !== 0)
    return isPinned ? `${mark}---${end}pinned: true${end}---${end}${end}${rest}` : text;
  const yaml = block[1] ?? '';
  const without = yaml.replaceAll(/^pinned:[^\n]*\n/gm, '');
  const start = rest.indexOf('\n') + 1;
  const changed = isPinned ? `${without}pinned: true${end}` : without;
  return `${mark}${rest.slice(0, start)}${changed}${rest.slice(start + yaml.length)}`;
}
