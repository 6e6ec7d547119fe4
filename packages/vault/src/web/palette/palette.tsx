import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Modal } from '../ui/modal.tsx';
import { listKeys } from './list-keys.ts';
import { PaletteBox } from './palette-box.tsx';
import { PaletteFoot } from './palette-foot.tsx';
import { PaletteList } from './palette-list.tsx';
import { parseQuery } from './parse-query.ts';
import { useEntries } from './use-entries.ts';
import { useFound } from './use-found.ts';

/** Jump to a file, find words in all of them, or do something: all from the keyboard. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { queries } = useServices();
  const text = useText().palette;
  const { data: tree } = useQuery(queries.files.tree);
  const [typed, setTyped] = useState('');
  const [row, setRow] = useState(0);
  const [isDeep, setIsDeep] = useState(false);
  const query = useMemo(() => parseQuery(typed, tree), [typed, tree]);
  const { words, scope } = query.kind === 'search' ? query : { words: '', scope: null };
  const { data, isFetching } = useFound(words, scope, isDeep);
  const isSearch = words.length > 1;
  const found = isSearch ? data : undefined;

  const goDeep = (): void => {
    setIsDeep(true);
    setRow(0);
  };
  const type = (next: string): void => {
    setTyped(next);
    setRow(0);
    setIsDeep(false);
  };
  const entries = useEntries({
    query,
    tree,
    sections: found?.sections ?? [],
    found: found?.found ?? 0,
    goDeep: isSearch && !isDeep ? goDeep : null,
  });
  const active = Math.min(row, entries.length - 1);
  return (
    <Modal title={text.title} isOpen onClose={onClose}>
      <PaletteBox
        typed={typed}
        scope={scope}
        active={active}
        onType={type}
        onKeyDown={listKeys({ entries, active, moveTo: setRow, goDeep: isSearch ? goDeep : null })}
      />
      <PaletteList
        entries={entries}
        active={active}
        isEmpty={isSearch && entries.length <= 1 && !isFetching}
        onHover={setRow}
      />
      <PaletteFoot found={found} isBusy={isFetching} isDeep={isDeep} />
    </Modal>
  );
}
