import type { Components } from 'hast-util-to-jsx-runtime';
import { lazyPart } from '../ui/lazy-part.tsx';
import type { Around } from './around.ts';
import { CalloutSign } from './callout-sign.tsx';
import { CodeBlock, languageOf } from './code-block.tsx';
import { NoteEmbed } from './note-embed.tsx';
import { EmbeddedImage, NoteImage, NoteLink } from './note-links.tsx';
import { TaskBox } from './task-box.tsx';

const Formula = lazyPart(() => import('./formula.tsx').then(({ Formula: part }) => part));
const Diagram = lazyPart(() => import('./diagram.tsx').then(({ Diagram: part }) => part));

/** What the parser leaves on elements for these. */
type Data = {
  'data-wiki'?: string;
  'data-line'?: number;
  'data-tag'?: string;
  'data-math'?: string;
  'data-apart'?: boolean;
  'data-embed'?: boolean;
  'data-task'?: number;
  'data-callout'?: string;
  'data-continued'?: boolean;
};

/** Without what no element has. */
function plain<Props extends { node?: unknown }>(props: Props): Omit<Props, 'node'> {
  const rest = { ...props };
  delete rest.node;
  return rest;
}

/** What the elements of a note become. */
export function partsOfNote({ path, within, inner, onTask }: Around): Partial<Components> {
  return {
    a: ({ href, className, children, id, ...rest }) => {
      const { 'data-wiki': wiki, 'data-line': line, 'data-tag': tag } = rest as Data;
      if (className === 'ln')
        return <a className="ln" data-line={line} href={href} tabIndex={-1} aria-hidden="true" />;
      return (
        <NoteLink path={path} href={href ?? ''} wiki={wiki} tag={tag} id={id}>
          {children}
        </NoteLink>
      );
    },
    img: ({ src, alt = '', width, ...rest }) => {
      const { 'data-wiki': wiki } = rest as Data;
      if (wiki !== undefined) return <EmbeddedImage path={path} name={wiki} alt={alt} width={width} />;
      return <NoteImage path={path} source={typeof src === 'string' ? src : ''} alt={alt} width={width} />;
    },
    pre: ({ node, ...rest }) => {
      const isContinued = (rest as Data)['data-continued'] === true;
      if (node === undefined) return null;
      if (languageOf(node) === 'mermaid') return <Diagram pre={node} />;
      return <CodeBlock pre={node} isContinued={isContinued} />;
    },
    span: (props) => {
      const rest = plain(props);
      const { 'data-math': math, 'data-apart': isApart } = rest as Data;
      return math === undefined ? <span {...rest} /> : <Formula source={math} isApart={isApart === true} />;
    },
    div: (props) => {
      const { children, ...rest } = plain(props);
      const { 'data-math': math, 'data-embed': isEmbed, 'data-wiki': name } = rest as Data;
      if (math !== undefined)
        return (
          <div>
            {children}
            <Formula source={math} isApart />
          </div>
        );
      if (isEmbed === true && name !== undefined)
        return <NoteEmbed name={name} path={path} within={within} inner={inner} />;
      return <div {...rest}>{children}</div>;
    },
    p: ({ children, ...props }) => (
      <p {...plain(props)}>
        <CalloutSign kind={(props as Data)['data-callout']} />
        {children}
      </p>
    ),
    summary: ({ children, ...props }) => (
      <summary {...plain(props)}>
        <CalloutSign kind={(props as Data)['data-callout']} />
        {children}
      </summary>
    ),
    // What scrolls must be reached by the keyboard.
    table: ({ children }) => (
      <div className="table" tabIndex={0} role="group">
        <table>{children}</table>
      </div>
    ),
    input: ({ checked, ...rest }) => (
      <TaskBox
        isDone={checked === true}
        line={(rest as Data)['data-task']}
        label={rest['aria-label'] ?? ''}
        onTask={onTask}
      />
    ),
  };
}
