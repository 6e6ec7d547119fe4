import { syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Uploads images and returns the markdown that embeds them; empty on failure. */
export type UploadImages = (files: readonly File[]) => Promise<string>;

/** Pastes and drops images, and formatted text as markdown. */
export function pasteExtension(uploadImages: UploadImages): Extension {
  return EditorView.domEventHandlers({
    paste: (event, view) =>
      insertImages(event, event.clipboardData, view, uploadImages) ||
      insertFormatted(event, event.clipboardData, view),
    drop: (event, view) => insertImages(event, event.dataTransfer, view, uploadImages),
  });
}

function insertImages(
  event: Event,
  data: DataTransfer | null,
  view: EditorView,
  uploadImages: UploadImages,
): boolean {
  const images = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
  // Word processors add a picture of the copied text.
  if (images.length === 0 || data?.types.includes('text/plain') === true) return false;
  event.preventDefault();
  event.stopPropagation();
  void uploadImages(images).then((text) => text !== '' && insertText(view, text));
  return true;
}

/** Formatted text becomes markdown; in code it stays plain. */
function insertFormatted(event: ClipboardEvent, data: DataTransfer | null, view: EditorView): boolean {
  const [html, plain] = [data?.getData('text/html') ?? '', data?.getData('text/plain') ?? ''];
  if (html === '' || view.state.readOnly || isInCode(view)) return false;
  event.preventDefault();
  void import('./html-to-markdown.ts')
    .then(({ hasFormatting, htmlToMarkdown }) => (hasFormatting(html) ? htmlToMarkdown(html) : plain))
    .catch(() => plain)
    .then((text) => insertText(view, text === '' ? plain : text));
  return true;
}

function isInCode({ state }: EditorView): boolean {
  for (
    let node = syntaxTree(state).resolveInner(state.selection.main.head, -1);
    node.parent !== null;
    node = node.parent
  )
    if (/Code/.test(node.name)) return true;
  return false;
}

function insertText(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text.replaceAll(/\r\n?/g, '\n')), {
    scrollIntoView: true,
    userEvent: 'input.paste',
  });
}
