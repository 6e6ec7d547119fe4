import { useQuery } from '@tanstack/react-query';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { locateLines } from './locate-lines.ts';
import type { Lines } from './locate-lines.ts';

type Props = {
  path: string;
  /** Whether the lines are the text of a document. */
  isExtracted: boolean;
  then: Lines;
};

/** The lines as they were cited, next to the current ones. */
export function SourceComparison({ path, isExtracted, then }: Props) {
  const { queries } = useServices();
  const text = useText().answer;
  const { data: file, error: fileError } = useQuery(queries.files.get(path));
  const extraction = useQuery({
    ...queries.files.text(path, file?.etag ?? ''),
    enabled: isExtracted && file !== undefined,
  });
  const data = isExtracted ? extraction.data : file;
  const error = fileError ?? extraction.error;
  const now = data === undefined ? null : locateLines(then, data.text.replace(/\n$/, '').split('\n'));
  const [old, fresh] = [new Set(then.lines), new Set(now?.lines)];
  return (
    <div className="grid divide-line max-wide:divide-y wide:grid-cols-2 wide:divide-x">
      <SourceColumn
        title={text.before}
        side={then}
        isOther={(line) => now !== null && !fresh.has(line)}
        kind="removed"
      />
      {now === null ? (
        <p className="px-3 py-2 text-small text-soft">
          {error === null ? text.states.checking : text.fileGone}
        </p>
      ) : (
        <SourceColumn title={text.now} side={now} isOther={(line) => !old.has(line)} kind="added" />
      )}
    </div>
  );
}

const lineStyles = {
  removed: { sign: '−', className: 'bg-danger-soft' },
  added: { sign: '+', className: 'bg-good-soft' },
};

type SideProps = {
  title: string;
  side: Lines;
  /** Whether this line is missing on the other side. */
  isOther: (line: string) => boolean;
  kind: keyof typeof lineStyles;
};

function SourceColumn({ title, side: { start, lines }, isOther, kind }: SideProps) {
  return (
    <div className="min-w-0 pb-2">
      <h3 className="px-3 pt-2 pb-1 text-tiny font-semibold text-soft">{title}</h3>
      <div className="font-mono text-small">
        {lines.map((line, index) => (
          <div key={index} className={`flex ${isOther(line) ? lineStyles[kind].className : ''}`}>
            <span className="w-(--gutter) shrink-0 text-right text-tiny leading-5 text-soft select-none">
              {start + index}
            </span>
            <span className="w-5 shrink-0 pl-1 leading-5">{isOther(line) && lineStyles[kind].sign}</span>
            <span className="min-w-0 flex-1 pr-3 leading-5 break-words whitespace-pre-wrap">{line}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
