import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { parseLinks } from '../../contract/index.ts';
import { useServices } from '../shell/services.ts';
import { useDayText } from '../text/day-text.ts';
import { LineLinks } from './line-links.tsx';
import { LocalGraph } from './local-graph.tsx';
import { resolveLink, resolveWikilink } from './resolve-link.ts';

type Props = { path: string; body: string; sources: readonly string[] };

/** The graph of a note and the notes that name it without a link. */
export function NoteRelations({ path, body, sources }: Props) {
  const { queries } = useServices();
  const text = useDayText().beside;
  const { data: tree } = useQuery(queries.files.tree);
  const { data } = useQuery(queries.notes.mentions(path));
  const mentions = data?.notes ?? [];
  const targets = useMemo(() => {
    if (tree === undefined) return [];
    const found = parseLinks(body).map(({ kind, target }) =>
      kind === 'wiki' ? resolveWikilink(target, path, tree) : resolveLink(target, path, tree),
    );
    return [...new Set(found.flatMap((each) => (each.kind === 'file' ? [each.path] : [])))];
  }, [body, path, tree]);
  return (
    <>
      <LocalGraph path={path} targets={targets} sources={sources} />
      {mentions.length > 0 && <LineLinks title={text.mentions(mentions.length)} notes={mentions} />}
    </>
  );
}
