import { useQuery } from '@tanstack/react-query';
import { headingId, sectionOf } from '../../contract/index.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { takeApart } from './note.ts';
import { TargetLink } from './note-links.tsx';
import type { InnerNote } from './around.ts';
import { resolveWikilink } from './resolve-link.ts';

/** A note in a note in a note; deeper ones are links. */
const deepest = 3;

type Props = { name: string; path: string; within: readonly string[]; inner: InnerNote };

/** `![[note]]` or `![[note#Heading]]`: what stands there, with a link to it. */
export function NoteEmbed({ name, path, within, inner: Inner }: Props) {
  const { queries } = useServices();
  const text = useText().file;
  const { data: tree } = useQuery(queries.files.tree);
  const target = resolveWikilink(name, path, tree);
  const isNote = target.kind === 'file' && /\.(?:md|markdown)$/i.test(target.path);
  const found = isNote ? target.path : '';
  const around = [...within, path];
  const isShown = isNote && within.length < deepest && !around.includes(found);
  const { data: file } = useQuery({ ...queries.files.get(found), enabled: isShown });
  const note = file === undefined ? null : takeApart(file.text);
  const body = note === null || target.kind !== 'file' ? null : sectionOf(note.body, target.hash);
  return (
    <figure className={isShown ? 'embed' : undefined}>
      <figcaption>
        <TargetLink target={target}>{name}</TargetLink>
      </figcaption>
      {isShown && note !== null && body === null && <p>{text.noSection(headingId(name))}</p>}
      {isShown && body !== null && (
        <div className="prose plain">
          <Inner body={body} path={found} within={around} />
        </div>
      )}
    </figure>
  );
}
