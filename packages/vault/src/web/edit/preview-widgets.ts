import { WidgetType } from '@codemirror/view';
import type { EditorView } from '@codemirror/view';

/** The box of a task. A click ticks it off in the text. */
export class CheckboxWidget extends WidgetType {
  readonly isDone: boolean;

  constructor(isDone: boolean) {
    super();
    this.isDone = isDone;
  }

  override eq(other: CheckboxWidget): boolean {
    return other.isDone === this.isDone;
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = this.isDone;
    box.className = 'cm-checkbox';
    box.tabIndex = -1;
    box.setAttribute('aria-label', view.state.phrase('Task'));
    box.addEventListener('mousedown', (event) => event.preventDefault());
    box.addEventListener('click', (event) => {
      event.preventDefault();
      if (view.state.readOnly) return;
      const from = view.posAtDOM(box);
      view.dispatch({
        changes: { from: from + 1, to: from + 2, insert: this.isDone ? ' ' : 'x' },
        userEvent: 'input',
      });
    });
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

export class BulletWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const bullet = document.createElement('span');
    bullet.className = 'cm-bullet';
    bullet.textContent = '•';
    return bullet;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

export class RuleWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const rule = document.createElement('span');
    rule.className = 'cm-rule';
    return rule;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** An image of the vault. */
export class ImageWidget extends WidgetType {
  readonly url: string;
  readonly alt: string;
  readonly width: string | null;

  constructor(url: string, alt: string, width: string | null) {
    super();
    this.url = url;
    this.alt = alt;
    this.width = width;
  }

  override eq(other: ImageWidget): boolean {
    return other.url === this.url && other.alt === this.alt && other.width === this.width;
  }

  override toDOM(view: EditorView): HTMLElement {
    const image = document.createElement('img');
    image.className = 'cm-image';
    image.alt = this.alt;
    if (this.width !== null) image.width = Number(this.width);
    // The lines below move when the height is known.
    image.addEventListener('load', () => view.requestMeasure());
    image.src = this.url;
    return image;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}
