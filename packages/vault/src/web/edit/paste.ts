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
  // Word processors add a picture of the text to its two forms.
  const isText = ['text/plain', 'text/html'].every((type) => data?.types.includes(type));
  if (images.length === 0 || isText) return false;
  event.preventDefault();
  event.stopPropagation();
  void uploadImages(images).then((text) => text !== '' && insertText(view, text));
  return true;
}

/** Formatting that markdown has. Without any, the plain text of the clipboard is the better source. */
const formatted =
  /<(?:a\s[^>]*href|b|strong|em|i|h[1-6]|ul|ol|li|table|pre|code|blockquote|del|s|strike)[\s>]/i;

export function hasFormatting(html: string): boolean {
  return formatted.test(html);
}

/** Formatted text becomes markdown; in code it stays plain. */
function insertFormatted(event: ClipboardEvent, data: DataTransfer | null, view: EditorView): boolean {
  const [html, plain] = [data?.getData('text/html') ?? '', data?.getData('text/plain') ?? ''];
  if (!hasFormatting(html) || view.state.readOnly || isInCode(view)) return false;
  event.preventDefault();
  void import('./html-to-markdown.ts')
    .then(({ htmlToMarkdown }) => htmlToMarkdown(html))
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
