import { memo } from 'react';
import { NoteChunks } from './note-chunks.tsx';
import { useParsedNote } from './use-parsed-note.ts';

type Props = {
  /** Untrusted: what it may not do is left out or shown as text. */
  body: string;
  /** The file it stands in, from which links are resolved. */
  path: string;
  /** The notes that this one is embedded in, outermost first. */
  within?: readonly string[];
};

const none: readonly string[] = [];

/** Markdown as it is meant, beside other things: without numbers of lines. */
export const Markdown = memo(function Markdown({ body, path, within = none }: Props) {
  const parsed = useParsedNote({ body, skipped: 0, isPlain: true });
  return (
    parsed !== null && <NoteChunks chunks={parsed.chunks} path={path} within={within} inner={Markdown} />
  );
});
