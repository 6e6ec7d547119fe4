/** The id of the element that shows this source of an answer. */
export function sourceElementId(answer: string, number: number): string {
  return `source-${answer.slice(0, 8)}-${number}`;
}

/** Turns each citation such as `[2]` in an overview into a link to that source. Other numbers stay plain text. */
export function linkCitations(overview: string, answer: string, sources: readonly number[]): string {
  return overview.replaceAll(/\[(\d{1,2})\](?![(:])/g, (found, digits: string) => {
    const number = Number(digits);
    return sources.includes(number) ? `[\\[${number}\\]](#${sourceElementId(answer, number)})` : found;
  });
}
