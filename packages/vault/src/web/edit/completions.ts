import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorView } from '@codemirror/view';
import { resolveWikilinkTargets } from '../../contract/index.ts';

/** What the vault has to complete. All paths are without `vault/`. */
export type VaultNames = {
  /** The note that is edited. */
  path: string;
  /** All files. */
  files: () => readonly string[];
  /** The folder with the pages of people. */
  peopleFolder: () => string;
  /** The text of a note, for its headings. */
  read: (path: string) => Promise<string>;
  /** All tags without `#`, most frequent first. */
  tags: () => Promise<readonly string[]>;
  templates: () => readonly string[];
  /** The text of a template, filled in for the edited note. */
  fillTemplate: (path: string) => Promise<string>;
};

/** Completes notes after `[[`, headings after `[[note#`, tags after `#`, people after `@`, and templates after `/` at the start of a line. */
export function noteCompletions(names: VaultNames): CompletionSource[] {
  return [
    completeNotes(names),
    completeHeadings(names),
    completeTags(names),
    completePeople(names),
    completeTemplates(names),
  ];
}

function completeNotes(names: VaultNames): CompletionSource {
  return (context) => {
    const found = context.matchBefore(/\[\[[^\][\n|#]*/);
    if (found === null || isInCode(context)) return null;
    const isEmbed = context.state.sliceDoc(found.from - 1, found.from) === '!';
    const options = names
      .files()
      .filter((path) => isEmbed || /\.(?:md|markdown|pdf|canvas)$/i.test(path))
      .map((path) => noteOption(path, names));
    return { from: found.from + 2, options, validFor: /^[^\][\n|#]*$/ };
  };
}

function noteOption(path: string, names: VaultNames): Completion {
  const name = withoutExtension(path);
  const slash = name.lastIndexOf('/');
  return {
    label: name.slice(slash + 1),
    ...(slash > 0 && { detail: name.slice(0, slash) }),
    type: 'text',
    apply: (view, _, from, to) => insertTarget(view, from, to, linkName(path, names)),
  };
}

/** The shortest name by which a wikilink in the edited note leads to a file. */
export function linkName(path: string, names: Pick<VaultNames, 'path' | 'files'>): string {
  const full = withoutExtension(path);
  const parts = full.split('/');
  for (let start = parts.length - 1; start > 0; start -= 1) {
    const name = parts.slice(start).join('/');
    const targets = resolveWikilinkTargets(name, names.path, names.files());
    if (targets.length === 1 && targets[0] === path) return name;
  }
  return full;
}

function withoutExtension(path: string): string {
  return path.replace(/\.(?:md|markdown)$/i, '');
}

/** Inserts the target of a wikilink and closes it, if it is not closed yet. */
function insertTarget(view: EditorView, from: number, to: number, target: string): void {
  const after = view.state.sliceDoc(to, view.state.doc.lineAt(to).to);
  const isClosed = /^[^[\]\n]*\]\]/.test(after);
  view.dispatch({
    changes: { from, to, insert: isClosed ? target : `${target}]]` },
    selection: { anchor: from + target.length + 2 },
    userEvent: 'input.complete',
  });
}

function completeHeadings(names: VaultNames): CompletionSource {
  return async (context) => {
    const found = context.matchBefore(/\[\[[^\][\n|#]*#[^\][\n|]*/);
    if (found === null || isInCode(context)) return null;
    const [link = '', target = ''] = /^\[\[([^#]*)#/.exec(found.text) ?? [];
    const text = target.trim() === '' ? context.state.doc.toString() : await readTarget(target, names);
    const options = headingsOf(text).map((heading) => ({
      label: heading,
      type: 'text',
      apply: (view: EditorView, _: Completion, from: number, to: number) =>
        insertTarget(view, from, to, heading),
    }));
    return { from: found.from + link.length, options, validFor: /^[^\][\n|]*$/ };
  };
}

async function readTarget(name: string, names: VaultNames): Promise<string> {
  const [path] = resolveWikilinkTargets(name, names.path, names.files());
  return path === undefined ? '' : names.read(path).catch(() => '');
}

/** The headings of a note, without those in code. Characters that end a link are left out. */
export function headingsOf(text: string): string[] {
  let fence: string | null = null;
  return text.split('\n').flatMap((line) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== undefined && (fence === null || mark.startsWith(fence)))
      fence = fence === null ? mark : null;
    const [, heading] = /^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? [];
    return fence !== null || heading === undefined ? [] : [heading.replaceAll(/[[\]|#^\s]+/g, ' ').trim()];
  });
}

function completeTags(names: VaultNames): CompletionSource {
  return async (context) => {
    const found = context.matchBefore(/#[\p{L}\p{N}_/-]*/u);
    if (found === null || isInCode(context)) return null;
    const before = context.state.sliceDoc(context.state.doc.lineAt(found.from).from, found.from);
    if (/\[\[[^\]]*$|[^\s(,;]$/.test(before)) return null;
    // `#` at the start of a line may become a heading.
    if (before.trim() === '' && found.text === '#' && !context.explicit) return null;
    const options = (await names.tags()).map((tag) => ({ label: `#${tag}`, type: 'keyword' }));
    return { from: found.from, options, validFor: /^#[\p{L}\p{N}_/-]*$/u };
  };
}

function completePeople(names: VaultNames): CompletionSource {
  return (context): CompletionResult | null => {
    const found = context.matchBefore(/@[\p{L}\p{N}'’-]*(?: [\p{L}\p{N}'’-]*)?/u);
    if (found === null || isInCode(context)) return null;
    if (/[\p{L}\p{N}]$/u.test(context.state.sliceDoc(Math.max(0, found.from - 1), found.from))) return null;
    const folder = `${names.peopleFolder()}/`;
    const options = names
      .files()
      .filter((path) => path.startsWith(folder) && /\.md$/i.test(path))
      .map((path) => personOption(path, names));
    return options.length === 0 ? null : { from: found.from, options, validFor: /^@[\p{L}\p{N}'’ -]*$/u };
  };
}

function personOption(path: string, names: VaultNames): Completion {
  const name = personName(path);
  return {
    label: `@${name}`,
    type: 'text',
    apply(view, _, from, to) {
      const target = linkName(path, names);
      const insert = target === name ? `[[${name}]]` : `[[${target}|${name}]]`;
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        userEvent: 'input.complete',
      });
    },
  };
}

/** The name of a person by the file of their page: `people/lea-martin.md` is about Lea Martin. */
export function personName(path: string): string {
  const name = withoutExtension(path.slice(path.lastIndexOf('/') + 1));
  return /^[a-z\d]+(?:-[a-z\d]+)*$/.test(name)
    ? name
        .split('-')
        .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
        .join(' ')
    : name;
}

function completeTemplates(names: VaultNames): CompletionSource {
  return (context) => {
    const found = context.matchBefore(/^\/[\p{L}\p{N} _-]*$/u);
    if (found === null || isInCode(context)) return null;
    const options = names.templates().map((path) => ({
      label: `/${withoutExtension(path.slice(path.lastIndexOf('/') + 1))}`,
      type: 'text',
      apply(view: EditorView, _: Completion, from: number, to: number) {
        void names.fillTemplate(path).then((text) => insertTemplate(view, from, to, text));
      },
    }));
    return options.length === 0 ? null : { from: found.from, options };
  };
}

/** Replaces what was typed, unless the text has changed while the template was loaded. */
function insertTemplate(view: EditorView, from: number, to: number, text: string): void {
  if (!view.state.sliceDoc(from, to).startsWith('/')) return;
  view.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor: from + text.length },
    userEvent: 'input.complete',
  });
}

function isInCode({ state, pos }: CompletionContext): boolean {
  return /Code/.test(syntaxTree(state).resolveInner(pos, -1).name);
}
