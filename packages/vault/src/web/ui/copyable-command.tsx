import { Check, Copy } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { IconButton } from './button.tsx';
import { copyText } from './copy-text.ts';

/** A command for the terminal, or several lines for a file, with a button to copy it. */
export function CopyableCommand({ children, isBlock = false }: { children: string; isBlock?: boolean }) {
  const { shell } = useText();
  const [isCopied, setIsCopied] = useState(false);
  return (
    <div className="flex min-w-0 items-center gap-2 rounded-medium bg-sunken py-0.5 pr-1 pl-3">
      {isBlock ? (
        // Focusable, because it may have to be scrolled by keyboard.
        <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto py-1 font-mono text-small">
          {children}
        </pre>
      ) : (
        <code className="min-w-0 flex-1 py-1 font-mono text-small break-words">
          {/* Breaks the command between words, not after hyphens. */}
          {children.split(' ').map((word, index) => (
            <Fragment key={index}>
              {index > 0 && ' '}
              <span className="inline-block max-w-full">{word}</span>
            </Fragment>
          ))}
        </code>
      )}
      <IconButton
        label={isCopied ? shell.copied : shell.copy}
        onClick={() => void copyText(children).then(() => setIsCopied(true))}
      >
        {isCopied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
      </IconButton>
    </div>
  );
}
