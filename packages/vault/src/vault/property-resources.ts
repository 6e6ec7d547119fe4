import { isAlias, isCollection, isPair, isScalar, visit } from 'yaml';
import type { Document } from 'yaml';
import { maxFrontmatterCharacters, parseYaml } from './frontmatter.ts';

type Properties = {
  /** All texts, as plugins show them. */
  strings: string[];
  /** The values of properties that editors show as an image. */
  addresses: string[];
  /** Frontmatter that cannot be parsed and may name an image. */
  unreadable: string[];
};

const imageKey =
  /image|(?:^|[\W_])(?:avatar|banner|cover|icon|img|logo|photo|picture|poster|thumb|thumbnail)/i;

/** Reads the values of the frontmatter from which an editor could load something. */
export function readProperties(text: string): Properties {
  const yaml = /^\uFEFF?---[ \t]*\n([^]*?)\n(?:---|\.\.\.)/.exec(text)?.[1] ?? '';
  const isUnclear = imageKey.test(yaml) || yaml.includes('\\');
  // Only these can hide something from the scan of the text.
  if (!isUnclear && !yaml.includes('!')) return { strings: [], addresses: [], unreadable: [] };
  const document = yaml.length > maxFrontmatterCharacters ? null : parseYaml(yaml);
  if (document !== null) return { ...collectStrings(document), unreadable: [] };
  const unreadable = isUnclear && /\/\/|\\/.test(yaml) ? [yaml] : [];
  return { strings: [], addresses: [], unreadable };
}

function collectStrings(document: Document): Omit<Properties, 'unreadable'> {
  const strings: string[] = [];
  const addresses: string[] = [];
  let hasAlias = false;
  visit(document, (_, node, ancestors) => {
    if (isAlias(node)) hasAlias = true;
    if (!isScalar(node) || typeof node.value !== 'string') return;
    strings.push(node.value);
    if (ancestors.some((each) => isPair(each) && each.key !== node && isImageKey(each.key)))
      addresses.push(node.value);
  });
  // An alias can put any value under any key.
  return { strings, addresses: hasAlias ? strings : addresses };
}

function isImageKey(key: unknown): boolean {
  return isCollection(key) || (isScalar(key) && imageKey.test(String(key.value)));
}
