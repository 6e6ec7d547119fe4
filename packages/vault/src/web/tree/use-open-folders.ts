import { useEffect, useMemo, useRef } from 'react';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import type { Tree } from './build-tree.ts';

/** The expanded folders, stored in the preferences. The parent folders of a file are expanded once when it is opened. */
export function useOpenFolders(tree: Tree, selected: string | null) {
  const { preferences } = useServices();
  const { open: paths } = useStore(preferences);
  const open = useMemo(() => new Set(paths), [paths]);
  const setOpen = (path: string, isOpen: boolean): void =>
    preferences.set((all) => ({
      ...all,
      open: isOpen ? [...all.open, path] : all.open.filter((each) => each !== path),
    }));

  const revealed = useRef<string | null>(null);
  useEffect(() => {
    if (selected === null || revealed.current === selected || !tree.byPath.has(selected)) return;
    revealed.current = selected;
    const around = foldersAround(selected);
    if (around.length > 0)
      preferences.set((all) => ({ ...all, open: [...new Set([...all.open, ...around])] }));
  }, [tree, selected, preferences]);
  return { open, setOpen };
}

/** `a/b/c.md` → `a`, `a/b` */
function foldersAround(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
