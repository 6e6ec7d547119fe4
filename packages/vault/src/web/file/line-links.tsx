import { Link } from '@tanstack/react-router';
import { PathLabel } from '../ui/path-label.tsx';

type Props = { title: string; notes: readonly { path: string; line: number; text: string }[] };

/** Notes with the line that links to this note or names it. */
export function LineLinks({ title, notes }: Props) {
  return (
    <nav aria-label={title}>
      <h2 className="mb-1 text-tiny font-semibold text-soft">{title}</h2>
      <ul className="flex flex-col gap-1.5">
        {notes.map(({ path, line, text }) => (
          <li key={path}>
            <Link
              to="/file/$"
              params={{ _splat: path.replace(/^vault\//, '') }}
              hash={`L${line}`}
              className="group flex flex-col rounded-small break-words text-soft hover:text-ink"
            >
              <span className="group-hover:underline">
                <PathLabel path={path} />
              </span>
              <span className="line-clamp-2 text-tiny">{plainText(text)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A line without the marks of lists, headings and links. */
function plainText(line: string): string {
  return line
    .replace(/^(?:[#>\s]+|[-*+]\s+(?:\[.\]\s+)?|\d+[.)]\s+)+/, '')
    .replaceAll(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]{1,3}/g, '');
}
