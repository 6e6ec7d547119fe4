import { ChevronRight, LibraryBig } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../../contract/index.ts';
import type { LanguageCode } from '../text/use-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { listKnownVaults } from './known-vaults.ts';
import { vaultsText } from './vaults-text.ts';

/** The vaults that this browser may open: all vaults for the owner of the server, otherwise those it has opened before. */
export function VaultsPage({ language }: { language: LanguageCode }) {
  const text = vaultsText[language];
  const [all, setAll] = useState<string[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    document.title = `${text.title} · Keepsake`;
    document.documentElement.lang = language;
    void listVaults().then(setAll);
  }, [language, text]);
  const open = async (name: string): Promise<void> => {
    setFailed(false);
    const response = await fetch(`/api/vaults/${name}/links`, { method: 'POST' });
    if (!response.ok) return setFailed(true);
    const { pathname, search } = new URL(api.link.parse(await response.json()).url);
    // Uses the origin of this page, because a proxy may have a different host name from the server behind it.
    location.assign(`${pathname}${search}`);
  };
  if (all === null) return null;
  const known = listKnownVaults(localStorage);
  const names = [...new Set([...all, ...known])].toSorted();
  const row = 'flex h-12 w-full items-center gap-3 px-4 text-base font-medium hover:bg-hover';
  const inside = (name: string) => (
    <>
      <span className="min-w-0 flex-1 truncate text-left">{name}</span>
      <ChevronRight aria-hidden className="size-4 text-soft" />
    </>
  );
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col gap-6 px-4 py-16">
      <h1 className="flex items-center gap-3 text-title font-semibold">
        <img src="/icon.svg" alt="" className="size-7" />
        {text.title}
      </h1>
      {hasFailed && <Notice tone="warn" title={text.failed} />}
      {names.length === 0 ? (
        <EmptyState icon={LibraryBig} title={text.none} hint={text.hint}>
          <code className="rounded-medium bg-surface px-3 py-2 text-small">keepsake serve --vaults</code>
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-medium border border-line bg-surface">
          {names.map((name) => (
            <li key={name}>
              {all.includes(name) ? (
                <button type="button" className={row} onClick={() => void open(name)}>
                  {inside(name)}
                </button>
              ) : (
                <a href={`/v/${name}/`} className={row}>
                  {inside(name)}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}

/** Empty for anyone but the owner of the server. */
async function listVaults(): Promise<string[]> {
  const response = await fetch('/api/vaults').catch(() => null);
  return response?.ok === true ? api.vaultNames.parse(await response.json()).vaults : [];
}
