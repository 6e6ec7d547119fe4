import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useServices } from '../shell/services.ts';
import { countNotes } from '../search/count-notes.ts';
import { useText } from '../text/use-text.ts';
import { Modal } from '../ui/modal.tsx';
import { createKeyHandler } from './create-key-handler.ts';
import { PaletteInput } from './palette-input.tsx';
import { PaletteFooter } from './palette-footer.tsx';
import { PaletteList } from './palette-list.tsx';
import { parseQuery } from './parse-query.ts';
import { usePaletteItems } from './use-palette-items.ts';
import { useSearchResults } from './use-search-results.ts';

/** The command palette: opens files, searches their content and runs actions by keyboard. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { queries } = useServices();
  const text = useText().palette;
  const { data: tree } = useQuery(queries.files.tree);
  const [typed, setTyped] = useState('');
  const [row, setRow] = useState(0);
  const [isDeep, setIsDeep] = useState(false);
  const query = useMemo(() => parseQuery(typed, tree), [typed, tree]);
  const { words, scope } = query.kind === 'search' ? query : { words: '', scope: null };
  const { data, isFetching } = useSearchResults(words, scope, isDeep);
  const isSearch = words.length > 1;
  const found = isSearch ? data : undefined;

  const searchDeep = (): void => {
    setIsDeep(true);
    setRow(0);
  };
  const type = (next: string): void => {
    setTyped(next);
    setRow(0);
    setIsDeep(false);
  };
  const entries = usePaletteItems({
    query,
    tree,
    sections: found?.sections ?? [],
    notes: found === undefined || found.nextLimit === null ? null : countNotes(found, found.sections).all,
    searchDeep: isSearch && !isDeep ? searchDeep : null,
  });
  const active = Math.min(row, entries.length - 1);
  return (
    <Modal title={text.title} isOpen onClose={onClose}>
      <PaletteInput
        typed={typed}
        scope={scope}
        active={active}
        onType={type}
        onKeyDown={createKeyHandler({
          entries,
          active,
          moveTo: setRow,
          searchDeep: isSearch ? searchDeep : null,
        })}
      />
      <PaletteList
        entries={entries}
        active={active}
        isEmpty={isSearch && entries.length <= 1 && !isFetching}
        onHover={setRow}
      />
      <PaletteFooter found={found} isBusy={isFetching} isDeep={isDeep} />
    </Modal>
  );
}
