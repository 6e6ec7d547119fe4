import type { Components } from 'hast-util-to-jsx-runtime';
import { lazyComponent } from '../ui/lazy-component.tsx';
import type { NoteContext } from './note-context.ts';
import { CalloutIcon } from './callout-icon.tsx';
import { CodeBlock, languageOf } from './code-block.tsx';
import { NoteEmbed } from './note-embed.tsx';
import { EmbeddedImage, NoteImage, NoteLink } from './note-links.tsx';
import { TaskCheckbox } from './task-checkbox.tsx';

const Formula = lazyComponent(() => import('./formula.tsx').then(({ Formula: part }) => part));
const Diagram = lazyComponent(() => import('./diagram.tsx').then(({ Diagram: part }) => part));

/** Attributes that the parser sets for these components. */
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

/** Props without `node`, which is not a DOM attribute. */
function plain<Props extends { node?: unknown }>(props: Props): Omit<Props, 'node'> {
  const rest = { ...props };
  delete rest.node;
  return rest;
}

/** The components that render the elements of a note. */
export function noteComponents({ path, ancestors, inner, onToggleTask }: NoteContext): Partial<Components> {
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
        return <NoteEmbed name={name} path={path} ancestors={ancestors} inner={inner} />;
      return <div {...rest}>{children}</div>;
    },
    p: ({ children, ...props }) => (
      <p {...plain(props)}>
        <CalloutIcon kind={(props as Data)['data-callout']} />
        {children}
      </p>
    ),
    summary: ({ children, ...props }) => (
      <summary {...plain(props)}>
        <CalloutIcon kind={(props as Data)['data-callout']} />
        {children}
      </summary>
    ),
    // Scrollable content must be focusable by keyboard.
    table: ({ children }) => (
      <div className="table" tabIndex={0} role="group">
        <table>{children}</table>
      </div>
    ),
    input: ({ checked, ...rest }) => (
      <TaskCheckbox
        isDone={checked === true}
        line={(rest as Data)['data-task']}
        label={rest['aria-label'] ?? ''}
        onToggleTask={onToggleTask}
      />
    ),
  };
}
