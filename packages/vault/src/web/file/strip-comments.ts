const fenceMark = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*(`{3,}|~{3,})(.*)$/s;

/** Removes `%%comments%%` outside of code. Line numbers do not change. */
export function stripComments(text: string): string {
  if (!text.includes('%%')) return text;
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => line.includes('%%'));
  let fence: string | null = null;
  let isOpen = false;
  return lines
    .map((line, at) => {
      const [, marks, rest = ''] = isOpen ? [] : (fenceMark.exec(line) ?? []);
      if (fence !== null) {
        if (marks?.startsWith(fence) === true && rest.trim() === '') fence = null;
        return line;
      }
      if (marks !== undefined && !(marks.startsWith('`') && rest.includes('`'))) {
        fence = marks;
        return line;
      }
      let shown = '';
      let from = 0;
      for (const { 0: found, index } of line.matchAll(/%%|(`+)(?!`).*?(?<!`)\1(?!`)/g)) {
        if (found !== '%%') continue;
        if (index < from) continue;
        // A `%%` without an end is not a comment.
        if (!isOpen && at >= last && !line.includes('%%', index + 2)) break;
        if (!isOpen) shown += line.slice(from, index);
        isOpen = !isOpen;
        from = index + 2;
      }
      return isOpen ? shown : shown + line.slice(from);
    })
    .join('\n');
}
