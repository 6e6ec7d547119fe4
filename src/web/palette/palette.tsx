import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Hash, Search, Telescope } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { showLineRange } from '../file/line-range.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Modal } from '../ui/modal.tsx';
import { PaletteFoot } from './palette-foot.tsx';
import { PaletteRow } from './palette-row.tsx';
import type { Entry } from './palette-row.tsx';
import { hitLine } from './hit-line.ts';
import { parseQuery } from './parse-query.ts';
import { rankFiles } from './rank-files.ts';
import { useActions } from './use-actions.ts';
import { useFound } from './use-found.ts';

/** Jump to a file, find words in all of them, or do something: all from the keyboard. */
export function Palette() {
  const { palette, queries } = useServices();
  const text = useText();
  const navigate = useNavigate();
  const { data: tree } = useQuery(queries.tree);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [isDeep, setIsDeep] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const query = useMemo(() => parseQuery(typed, tree), [typed, tree]);
  const words = query.kind === 'search' ? query.words : '';
  const scope = query.kind === 'search' ? query.scope : null;
  const found = useFound(words, scope, isDeep);
  const actions = useActions(query.kind === 'actions' ? query.words : words, query.kind === 'actions');

  const close = (): void => palette.set(false);
  const open = (path: string, hash = ''): void => {
    close();
    void navigate({ to: '/file/$', params: { _splat: path }, hash });
  };
  const goDeep = (): void => {
    setIsDeep(true);
    setAt(0);
  };
  const entries: Entry[] = [];
  if (query.kind === 'line' && query.range !== null) {
    const hash = showLineRange(query.range);
    entries.push({
      id: 'line',
      group: text.palette.actions,
      sign: Hash,
      title: text.palette.goToLine(hash.slice(1)),
      run: () => {
        close();
        void navigate({ to: '.', hash });
      },
    });
  }
  if (query.kind === 'search' && tree !== undefined) {
    const inScope =
      scope === null ? tree.files : tree.files.filter(({ path }) => path.startsWith(`${scope}/`));
    for (const { path } of words === '' && scope !== null
      ? inScope.slice(0, 8)
      : rankFiles(inScope, words, 6))
      entries.push({ id: `file:${path}`, group: text.palette.files, path, run: () => open(path) });
    for (const section of words.length > 1 ? (found.data?.sections ?? []) : []) {
      const path = section.path.replace(/^vault\//, '');
      const line = hitLine(section.text, words) ?? section.lines.start;
      entries.push({
        id: `found:${path}:${section.lines.start}`,
        group: text.palette.found,
        path,
        line,
        excerpt: section.text,
        words,
        run: () => open(path, showLineRange({ start: line, end: line })),
      });
    }
  }
  for (const action of actions)
    if (query.kind === 'actions' || words === '' || action.isAlways)
      entries.push({ ...action, group: text.palette.actions, run: () => (close(), action.run()) });
  if (words.length > 1 && !isDeep)
    entries.push({
      id: 'deep',
      group: text.palette.actions,
      sign: Telescope,
      title: text.palette.deep,
      hint: text.palette.deepHint,
      run: goDeep,
    });

  const active = Math.min(at, entries.length - 1);
  useEffect(() => {
    list.current?.querySelector(`#palette-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((active + step + entries.length) % Math.max(entries.length, 1));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      if (event.altKey && words.length > 1) goDeep();
      else entries[active]?.run();
    }
  };

  return (
    <Modal title={text.palette.title} isOpen onClose={close}>
      <div className="flex items-center gap-2 border-b border-line px-4">
        <Search aria-hidden className="size-4 shrink-0 text-soft" />
        {scope !== null && (
          <span className="max-wide:hidden">
            <Badge tone="accent">{text.palette.scope(scope)}</Badge>
          </span>
        )}
        <input
          // Opened to be typed into.
          autoFocus
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
            setIsDeep(false);
          }}
          onKeyDown={press}
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={active >= 0 ? `palette-${active}` : undefined}
          aria-label={text.palette.placeholder}
          placeholder={text.palette.placeholder}
          spellCheck={false}
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none"
        />
      </div>
      <div
        ref={list}
        id="palette-list"
        role="listbox"
        aria-label={text.palette.title}
        className="min-h-0 flex-1 overflow-y-auto p-2"
      >
        {entries.map((entry, index) => (
          <div key={entry.id} role="presentation">
            {entries[index - 1]?.group !== entry.group && (
              <p role="presentation" className="px-2 pt-2 pb-1 text-tiny font-semibold text-soft">
                {entry.group}
              </p>
            )}
            <PaletteRow
              entry={entry}
              id={`palette-${index}`}
              isActive={index === active}
              onHover={() => setAt(index)}
            />
          </div>
        ))}
        {words.length > 1 && entries.length <= 1 && !found.isFetching && (
          <p role="presentation" className="px-2 py-3 text-small text-soft">
            {text.palette.none}
          </p>
        )}
      </div>
      <PaletteFoot
        found={words.length > 1 ? found.data : undefined}
        isBusy={found.isFetching}
        isDeep={isDeep}
      />
    </Modal>
  );
}
