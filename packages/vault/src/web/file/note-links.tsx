import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { resolvePath } from '../../contract/index.ts';
import { fileUrl } from '../api/files-api.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { resolveLink, resolveWikilink } from './resolve-link.ts';
import type { LinkTarget } from './resolve-link.ts';

type LinkProps = {
  path: string;
  href: string;
  wiki: string | undefined;
  tag: string | undefined;
  id: string | undefined;
  children: ReactNode;
};

export function NoteLink({ path, href, wiki, tag, id, children }: LinkProps) {
  const { queries } = useServices();
  const { data: tree } = useQuery(queries.files.tree);
  if (tag !== undefined) return <TagLink tag={tag}>{children}</TagLink>;
  // An anchor without `href` is only a link target.
  if (href === '' && wiki === undefined) return <span id={id}>{children}</span>;
  const target = wiki === undefined ? resolveLink(href, path, tree) : resolveWikilink(wiki, path, tree);
  return (
    <TargetLink target={target} id={id}>
      {children}
    </TargetLink>
  );
}

/** Links to a search for this tag. */
export function TagLink({ tag, children }: { tag: string; children: ReactNode }) {
  return (
    <Link to="/search" search={{ q: `#${tag}` }} className="tag">
      {children}
    </Link>
  );
}

export function TargetLink({
  target,
  id,
  children,
}: {
  target: LinkTarget;
  id?: string | undefined;
  children: ReactNode;
}) {
  const { file } = useText();
  switch (target.kind) {
    case 'file':
      return (
        <Link id={id} to="/file/$" params={{ _splat: target.path }} hash={target.hash}>
          {children}
        </Link>
      );
    case 'several':
      return (
        <Link
          id={id}
          to="/which"
          search={{ link: target.link, from: target.from }}
          className="several"
          title={file.several(target.paths.length)}
        >
          {children}
        </Link>
      );
    case 'missing':
      return (
        <Link
          id={id}
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
        <a id={id} href={target.url} target="_blank" rel="noopener noreferrer nofollow">
          {children}
        </a>
      );
    case 'here':
      return (
        <Link id={id} to="." hash={target.hash}>
          {children}
        </Link>
      );
    case 'nowhere':
      return <span id={id}>{children}</span>;
  }
}

type Width = number | string | undefined;

/** Renders `![[name]]`; the image may be anywhere in the vault. */
export function EmbeddedImage({
  path,
  name,
  alt,
  width,
}: {
  path: string;
  name: string;
  alt: string;
  width: Width;
}) {
  const { queries } = useServices();
  const { data: tree } = useQuery(queries.files.tree);
  const target = resolveWikilink(name, path, tree);
  if (target.kind !== 'file') return <TargetLink target={target}>{alt}</TargetLink>;
  return <img src={fileUrl(target.path)} alt={alt} width={width} loading="lazy" />;
}

/** Loads only images of the vault. Remote images are shown as links, because loading them would reveal that the note was read. */
export function NoteImage({
  path,
  source,
  alt,
  width,
}: {
  path: string;
  source: string;
  alt: string;
  width: Width;
}) {
  const { file } = useText();
  const target = resolveLink(source, path, undefined);
  if (target.kind === 'outside')
    return (
      <a href={target.url} target="_blank" rel="noopener noreferrer nofollow">
        {alt === '' ? file.remoteImage(target.url) : `${alt} (${file.remoteImage(target.url)})`}
      </a>
    );
  const local = target.kind === 'file' ? resolvePath('', target.path) : null;
  if (local === null) return <span>{alt}</span>;
  return <img src={fileUrl(local)} alt={alt} width={width} loading="lazy" />;
}
