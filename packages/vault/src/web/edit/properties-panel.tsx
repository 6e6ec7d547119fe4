import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Collapsible } from '../ui/collapsible.tsx';
import { ItemsField } from './items-field.tsx';
import {
  createProperty,
  isFreeKey,
  joinProperties,
  parseProperties,
  withChecked,
  withItems,
  withText,
} from './properties.ts';
import type { Property, PropertyKind } from './properties.ts';

type Props = {
  initial: string;
  onChange: (properties: string) => void;
  /** All tags of the vault, to complete one. */
  tags: () => Promise<readonly string[]>;
};

/** The frontmatter of a note without stamps. It is edited separately, so that text in the body cannot break it. */
export function PropertiesPanel({ initial, onChange, tags }: Props) {
  const text = useText().edit;
  // Parsed once, so that a field stays of its kind while a value like `true` is typed into it.
  const [properties, setProperties] = useState(() => parseProperties(initial));
  const [source, setSource] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [isText, setIsText] = useState(false);
  const change = (changed: readonly Property[]): void => {
    setProperties([...changed]);
    onChange(joinProperties(changed));
  };
  const replace = (index: number, property: Property | null): void =>
    change(properties.flatMap((each, at) => (at === index ? (property ?? []) : [each])));
  const changeSource = (typed: string): void => {
    const changed = withoutDelimiters(typed);
    setSource(changed);
    setProperties(parseProperties(changed));
    onChange(changed);
  };
  const keys = properties.flatMap(({ key }) => (key === '' ? [] : [key]));
  return (
    <Collapsible title={text.properties(keys.join(', '))} isOpen={isOpen} onChange={setIsOpen}>
      <div className="flex flex-col gap-2 bg-surface px-3 py-2">
        {isText ? (
          <TextArea label={text.propertiesLabel} value={source} onChange={changeSource} />
        ) : (
          properties.map((property, index) => (
            <PropertyRow
              key={index}
              property={property}
              tags={tags}
              onChange={(changed) => replace(index, changed)}
            />
          ))
        )}
        <div className="flex flex-wrap items-center gap-2">
          {!isText && (
            <NewProperty properties={properties} onAdd={(property) => change([...properties, property])} />
          )}
          <Button
            variant="ghost"
            onClick={() => {
              setSource(joinProperties(properties));
              setIsText(!isText);
            }}
          >
            {isText ? text.asFields : text.asText}
          </Button>
        </div>
      </div>
    </Collapsible>
  );
}

/** A delimiter line would end the frontmatter. */
function withoutDelimiters(source: string): string {
  return source.replaceAll(/^(?:---|\.\.\.)[ \t]*$/gm, '');
}

const field = 'h-8 min-w-0 rounded-medium border border-line bg-page px-2 text-base wide:text-small';

type RowProps = { property: Property; tags: Props['tags']; onChange: (property: Property | null) => void };

function PropertyRow({ property, tags, onChange }: RowProps) {
  const text = useText().edit;
  const id = useId();
  const { key } = property;
  return (
    <div className="flex items-start gap-2">
      <label
        htmlFor={id}
        className="w-24 shrink-0 truncate pt-1.5 text-small text-soft wide:w-36"
        title={key}
      >
        {key}
      </label>
      <div className="flex min-w-0 flex-1">
        <PropertyControl id={id} property={property} tags={tags} onChange={onChange} />
      </div>
      {key !== '' && (
        <IconButton label={text.removeProperty(key)} onClick={() => onChange(null)}>
          <X aria-hidden className="size-4" />
        </IconButton>
      )}
    </div>
  );
}

function PropertyControl({ id, property, tags, onChange }: RowProps & { id: string }) {
  const text = useText().edit;
  switch (property.kind) {
    case 'text':
    case 'date':
      return (
        <input
          id={id}
          type={property.kind}
          value={property.value}
          onChange={({ target }) => onChange(withText(property, target.value))}
          className={`${field} ${property.kind === 'text' ? 'w-full' : ''}`}
        />
      );
    case 'checkbox':
      return (
        <input
          id={id}
          type="checkbox"
          checked={property.value}
          onChange={({ target }) => onChange(withChecked(property, target.checked))}
          className="mt-2 size-4"
        />
      );
    case 'list':
    case 'tags':
      return (
        <ItemsField
          id={id}
          label={property.key}
          items={property.items}
          suggest={property.kind === 'tags' ? tags : undefined}
          onChange={(items) => onChange(withItems(property, items))}
        />
      );
    case 'other':
      return (
        <TextArea
          id={id}
          label={text.otherProperty(property.key)}
          value={property.source.replace(/\n$/, '')}
          onChange={(typed) =>
            onChange(typed === '' ? null : { ...property, source: `${withoutDelimiters(typed)}\n` })
          }
        />
      );
  }
}

type TextAreaProps = { id?: string; label: string; value: string; onChange: (value: string) => void };

function TextArea({ id, label, value, onChange }: TextAreaProps) {
  return (
    <textarea
      id={id}
      aria-label={label}
      value={value}
      rows={Math.min(Math.max(value.split('\n').length, 1), 12)}
      spellCheck={false}
      onChange={({ target }) => onChange(target.value)}
      className="block w-full resize-y rounded-medium border border-line bg-page px-2 py-1 font-mono text-base wide:text-small"
    />
  );
}

const kinds: readonly Exclude<PropertyKind, 'tags'>[] = ['text', 'date', 'list', 'checkbox'];

function NewProperty({
  properties,
  onAdd,
}: {
  properties: readonly Property[];
  onAdd: (property: Property) => void;
}) {
  const text = useText().edit;
  const [key, setKey] = useState('');
  const [kind, setKind] = useState<PropertyKind>('text');
  const name = key.trim();
  const isFree = isFreeKey(name, properties);
  const add = (): void => {
    if (!isFree) return;
    onAdd(createProperty(name, /^tags?$/i.test(name) ? 'tags' : kind));
    setKey('');
  };
  return (
    <>
      <input
        aria-label={text.newProperty}
        placeholder={text.newProperty}
        value={key}
        aria-invalid={name !== '' && !isFree}
        onChange={({ target }) => setKey(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
        className={`${field} w-36`}
      />
      <select
        aria-label={text.propertyType}
        value={kind}
        onChange={({ target }) => setKind(kinds.find((each) => each === target.value) ?? 'text')}
        className={field}
      >
        {kinds.map((each) => (
          <option key={each} value={each}>
            {text.propertyTypes[each]}
          </option>
        ))}
      </select>
      <Button disabled={!isFree} onClick={add}>
        {text.addProperty}
      </Button>
    </>
  );
}
