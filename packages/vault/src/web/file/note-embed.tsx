import { useQuery } from '@tanstack/react-query';
import { headingId, sectionOf } from '../../contract/index.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { parseNoteFile } from './note.ts';
import { TargetLink } from './note-links.tsx';
import type { EmbeddedNote } from './note-context.ts';
import { resolveWikilink } from './resolve-link.ts';

/** Notes that are embedded deeper than this are shown as links. */
const maxEmbedDepth = 3;

type Props = { name: string; path: string; ancestors: readonly string[]; inner: EmbeddedNote };

/** Renders `![[note]]` or `![[note#Heading]]`: the content of the note or section, with a link to it. */
export function NoteEmbed({ name, path, ancestors, inner: Inner }: Props) {
  const { queries } = useServices();
  const text = useText().file;
  const { data: tree } = useQuery(queries.files.tree);
  const target = resolveWikilink(name, path, tree);
  const isNote = target.kind === 'file' && /\.(?:md|markdown)$/i.test(target.path);
  const found = isNote ? target.path : '';
  const around = [...ancestors, path];
  const isShown = isNote && ancestors.length < maxEmbedDepth && !around.includes(found);
  const { data: file } = useQuery({ ...queries.files.get(found), enabled: isShown });
  const note = file === undefined ? null : parseNoteFile(file.text);
  const body = note === null || target.kind !== 'file' ? null : sectionOf(note.body, target.hash);
  return (
    <figure className={isShown ? 'embed' : undefined}>
      <figcaption>
        <TargetLink target={target}>{name}</TargetLink>
      </figcaption>
      {isShown && note !== null && body === null && <p>{text.noSection(headingId(name))}</p>}
      {isShown && body !== null && (
        <div className="prose plain">
          <Inner body={body} path={found} ancestors={around} />
        </div>
      )}
    </figure>
  );
}
