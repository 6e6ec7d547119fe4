import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import type { ReactNode } from 'react';
import ReactMarkdown from 'react-markdown';
import type { Components, ExtraProps } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { joinPath } from '../../contract/index.ts';
import { fileUrl } from '../api/client.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { annotateLines } from './annotate-lines.ts';
import { resolveLink, resolveWikilink } from './resolve-link.ts';
import type { LinkTarget } from './resolve-link.ts';
import { showRaw } from './show-raw.ts';

/** Tags are shown as text, so the only ids are those of footnotes, which are told apart from ours already. */
const sanitize: [typeof rehypeSanitize, object] = [rehypeSanitize, { ...defaultSchema, clobberPrefix: '' }];

type Props = {
  /** Untrusted: tags in it are shown as text, and what is left is sanitised. */
  body: string;
  /** The file it stands in, from which links are resolved. */
  path: string;
  skipped?: number;
  isPlain?: boolean;
};

/** Markdown as it is meant, with the numbers of its lines. A long text is read once, not each time something around it changes. */
export const Markdown = memo(function Markdown({ body, path, skipped = 0, isPlain = false }: Props) {
  const plugins = useMemo(
    () => [showRaw, sanitize, annotateLines({ skipped, isPlain, lines: body.split('\n') })],
    [body, skipped, isPlain],
  );
  const components = useMemo(() => componentsFor(path), [path]);
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={plugins} components={components}>
      {body}
    </ReactMarkdown>
  );
});

function componentsFor(path: string): Components {
  return {
    a: ({ href, className, children, ...rest }) => (
      <NoteLink path={path} href={href ?? ''} className={className} data={rest as LinkData}>
        {children}
      </NoteLink>
    ),
    img: ({ src, alt = '', width, ...rest }) => {
      const { 'data-wiki': wiki } = rest as LinkData;
      if (wiki !== undefined) return <EmbeddedImage path={path} name={wiki} alt={alt} width={width} />;
      return <NoteImage path={path} source={typeof src === 'string' ? src : ''} alt={alt} />;
    },
    // What scrolls must be reached by the keyboard.
    pre: ({ node, children }) => (
      <pre tabIndex={0} data-language={languageOf(node)}>
        {children}
      </pre>
    ),
    table: ({ children }) => (
      <div className="table" tabIndex={0} role="group">
        <table>{children}</table>
      </div>
    ),
    input: ({ checked }) => (
      <input type="checkbox" checked={checked === true} disabled readOnly aria-hidden />
    ),
  };
}

/** What stands behind the fence, as in ```mermaid. */
function languageOf(pre: ExtraProps['node']): string | undefined {
  const [code] = pre?.children ?? [];
  const names = code?.type === 'element' ? code.properties['className'] : undefined;
  const [name] = Array.isArray(names) ? names : [];
  return typeof name === 'string' ? name.replace(/^language-/, '') : undefined;
}

type LinkData = { 'data-wiki'?: string; 'data-line'?: number };
type LinkProps = {
  path: string;
  href: string;
  className: string | undefined;
  data: LinkData;
  children: ReactNode;
};

function NoteLink({ path, href, className, data, children }: LinkProps) {
  const { queries } = useServices();
  const { data: tree } = useQuery(queries.tree);
  const { 'data-wiki': wiki, 'data-line': line } = data;
  if (className === 'ln')
    return <a className="ln" data-line={line} href={href} tabIndex={-1} aria-hidden="true" />;
  const target = wiki === undefined ? resolveLink(href, path, tree) : resolveWikilink(wiki, path, tree);
  return <TargetLink target={target}>{children}</TargetLink>;
}

function TargetLink({ target, children }: { target: LinkTarget; children: ReactNode }) {
  const { file } = useText();
  switch (target.kind) {
    case 'file':
      return (
        <Link to="/file/$" params={{ _splat: target.path }} hash={target.hash}>
          {children}
        </Link>
      );
    case 'missing':
      return (
        <Link
          to="/file/$"
          params={{ _splat: target.path }}
          className="missing"
          title={file.gone(target.path)}
        >
          {children}
        </Link>
      );
    case 'outside':
      return (
        <a href={target.url} target="_blank" rel="noopener noreferrer nofollow">
          {children}
        </a>
      );
    case 'here':
      return (
        <Link to="." hash={target.hash}>
          {children}
        </Link>
      );
    case 'nowhere':
      return <span>{children}</span>;
  }
}

/** `![[name]]`, wherever in the vault it lies. */
function EmbeddedImage({ path, name, alt, width }: EmbeddedProps) {
  const { queries } = useServices();
  const { data: tree } = useQuery(queries.tree);
  const target = resolveWikilink(name, path, tree);
  if (target.kind !== 'file') return <TargetLink target={target}>{alt}</TargetLink>;
  return <img src={fileUrl(target.path)} alt={alt} width={width} loading="lazy" />;
}

type EmbeddedProps = { path: string; name: string; alt: string; width: number | string | undefined };

/** Only images of the vault are loaded; those of others are links, so that reading a note tells nobody. */
function NoteImage({ path, source, alt }: { path: string; source: string; alt: string }) {
  const { file } = useText();
  const target = resolveLink(source, path, undefined);
  if (target.kind === 'outside')
    return (
      <a href={target.url} target="_blank" rel="noopener noreferrer nofollow">
        {alt === '' ? file.remoteImage(target.url) : `${alt} (${file.remoteImage(target.url)})`}
      </a>
    );
  const local = target.kind === 'file' ? joinPath('', target.path) : null;
  return local === null ? <span>{alt}</span> : <img src={fileUrl(local)} alt={alt} loading="lazy" />;
}
