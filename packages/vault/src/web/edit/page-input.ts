import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Keeps the caret below the bars that stick to the top of the page when the page is scrolled to it. CodeMirror also asks for the
 * margin to find out whether the place of a tooltip is visible, for which it would be wrong in an editor that does not scroll itself.
 */
export function keepBelowBars(): Extension {
  let isScrolling = false;
  return [
    EditorView.scrollHandler.of(() => {
      isScrolling = true;
      return false;
    }),
    EditorView.scrollMargins.of((view) => {
      if (!isScrolling) return null;
      isScrolling = false;
      return { top: coveredHeight(view) };
    }),
  ];
}

/** How much of the page the bars cover. */
function coveredHeight(view: EditorView): number {
  const host = (view.dom.getRootNode() as ShadowRoot).host as HTMLElement | undefined;
  const page = host?.closest('main');
  const bar = document.querySelector('[data-sticky-bar]');
  if (page == null || bar === null) return 0;
  const bars = bar.getBoundingClientRect().bottom - page.getBoundingClientRect().top;
  return Math.max(0, bars) + panelHeight(view);
}

/** The search panel sticks below the bars. */
function panelHeight(view: EditorView): number {
  return view.dom.querySelector('.cm-panels-top')?.getBoundingClientRect().height ?? 0;
}

/**
 * Replaces a selection by what is typed. Chromium would keep the look of the deleted text with an inline style, which the content
 * security policy forbids and reports.
 */
export function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  if (event.inputType !== 'insertText' || event.data === null || !event.cancelable) return false;
  if (view.state.selection.main.empty || view.state.readOnly || view.composing) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(event.data), {
    scrollIntoView: true,
    userEvent: 'input.type',
  });
  return true;
}
