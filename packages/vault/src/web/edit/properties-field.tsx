import { useState } from 'react';
import { useText } from '../text/use-text.ts';
import { Collapsible } from '../ui/collapsible.tsx';

type Props = { initial: string; onChange: (properties: string) => void };

/** The frontmatter of a note without stamps. It is edited separately, so that text in the body cannot break it. */
export function PropertiesField({ initial, onChange }: Props) {
  const text = useText().edit;
  const [value, setValue] = useState(initial);
  const [isOpen, setIsOpen] = useState(false);
  const keys = value.split('\n').flatMap((line) => /^([^\s#:-][^:]*):(?:\s|$)/.exec(line)?.[1] ?? []);
  return (
    <Collapsible title={text.properties(keys.join(', '))} isOpen={isOpen} onChange={setIsOpen}>
      <textarea
        aria-label={text.propertiesLabel}
        value={value}
        rows={Math.min(Math.max(value.split('\n').length, 3), 12)}
        spellCheck={false}
        placeholder="tags: [garden]"
        onChange={(event) => {
          setValue(event.target.value);
          onChange(event.target.value);
        }}
        className="block w-full resize-y bg-surface px-3 py-2 font-mono text-base wide:text-small"
      />
    </Collapsible>
  );
}
