import { memo } from 'react';
import { NoteBlocks } from './note-blocks.tsx';
import { useParsedNote } from './use-parsed-note.ts';

type Props = {
  /** Untrusted: forbidden content is removed or shown as text. */
  body: string;
  /** The file that contains the text; links are resolved relative to it. */
  path: string;
  /** The notes that this one is embedded in, outermost first. */
  ancestors?: readonly string[];
};

const noAncestors: readonly string[] = [];

/** Rendered markdown without line numbers, for use inside of other content. */
export const Markdown = memo(function Markdown({ body, path, ancestors = noAncestors }: Props) {
  const parsed = useParsedNote({ body, lineOffset: 0, isPlain: true });
  return (
    parsed !== null && (
      <NoteBlocks blocks={parsed.blocks} path={path} ancestors={ancestors} inner={Markdown} />
    )
  );
});
