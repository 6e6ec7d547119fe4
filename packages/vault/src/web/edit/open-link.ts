import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** A link in a note: a wikilink's name, or a URL or path. */
export type NoteLinkText = { kind: 'wikilink' | 'path'; target: string };

/** Opens the link under the pointer on a click with Ctrl or ⌘. */
export function openLinkOnClick(open: (link: NoteLinkText) => void): Extension {
  return EditorView.domEventHandlers({
    mousedown(event, view) {
      if ((!event.ctrlKey && !event.metaKey) || event.button !== 0) return false;
      const pos = view.posAtCoords({ x: event.clientX, y: event.clientY });
      const link = pos === null ? null : linkAt(view.state, pos);
      if (link === null) return false;
      event.preventDefault();
      open(link);
      return true;
    },
  });
}

export function linkAt(state: EditorState, pos: number): NoteLinkText | null {
  for (let node = syntaxTree(state).resolveInner(pos, 1); node.parent !== null; node = node.parent) {
    if (node.name === 'Wikilink')
      return { kind: 'wikilink', target: state.sliceDoc(node.from + 2, node.to - 2).replace(/\|.*$/s, '') };
    if (node.name === 'URL') return { kind: 'path', target: state.sliceDoc(node.from, node.to) };
    const url = /^(?:Link|Image|Autolink)$/.test(node.name) ? node.getChild('URL') : null;
    if (url !== null) return { kind: 'path', target: state.sliceDoc(url.from, url.to) };
  }
  return null;
}
