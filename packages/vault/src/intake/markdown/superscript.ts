const digits = '0123456789+-=()n';
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ';

/**
 * Converts digits and signs to Unicode superscripts: `10<sup>6</sup>` must not become 106; `1<sup>er</sup>` may become
 * 1er.
 */
export function superscript(content: string): string {
  return /^[\d+\-=()n]+$/.test(content)
    ? content.replaceAll(/./g, (sign) => raised[digits.indexOf(sign)] ?? sign)
    : content;
}
