import { Link } from '@tanstack/react-router';
import { useDayText } from '../text/day-text.ts';
import { joinLinks, placeAround } from './graph-layout.ts';

const [width, height] = [240, 200];
const maxNotes = 16;
const maxNameLength = 18;

type Props = { path: string; targets: readonly string[]; sources: readonly string[] };

/** The notes that a note links to or that link to it, as a picture whose names are links. */
export function LocalGraph({ path, targets, sources }: Props) {
  const text = useDayText().beside;
  const all = joinLinks(path, targets, sources);
  if (all.length === 0) return null;
  const placed = placeAround(all.slice(0, maxNotes), width, height);
  const words = { to: text.linksTo, from: text.linkedFrom, both: text.both };
  return (
    <nav aria-label={text.graph}>
      <h2 className="mb-1 text-tiny font-semibold text-soft">{text.graph}</h2>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className="block w-full overflow-visible rounded-medium bg-sunken"
      >
        {placed.map(({ path: to, x, y, direction }) => (
          <line
            key={to}
            x1={width / 2}
            y1={height / 2}
            x2={x}
            y2={y}
            className="stroke-line-strong"
            strokeWidth={direction === 'both' ? 1.5 : 0.75}
            strokeDasharray={direction === 'from' ? '3 2' : undefined}
          />
        ))}
        <circle cx={width / 2} cy={height / 2} r={6} className="fill-accent" />
        {placed.map(({ path: to, x, y, direction }) => (
          <Link
            key={to}
            to="/file/$"
            params={{ _splat: to }}
            aria-label={`${shortName(to)}, ${words[direction]}`}
            className="group"
          >
            <title>{to}</title>
            <circle cx={x} cy={y} r={12} className="fill-transparent" />
            <circle cx={x} cy={y} r={4} className="fill-ink group-hover:fill-accent" />
            <text
              x={x}
              y={y + (y < height / 2 ? -8 : 15)}
              textAnchor="middle"
              className="fill-soft text-[9px] group-hover:fill-ink group-hover:underline"
            >
              {shorten(shortName(to))}
            </text>
          </Link>
        ))}
      </svg>
      {all.length > maxNotes && (
        <p className="mt-1 text-tiny text-soft">{text.more(all.length - maxNotes)}</p>
      )}
    </nav>
  );
}

/** The name of a note; of the notes that every project has, with the project. */
function shortName(path: string): string {
  const parts = path.replace(/\.md$/, '').split('/');
  const name = parts.at(-1) ?? path;
  const folder = parts.at(-2);
  return folder !== undefined && /^(?:state|tasks|changelog|description|index|readme)$/i.test(name)
    ? `${folder}/${name}`
    : name;
}

function shorten(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name;
}
