/** Where a source of an answer is on its page. */
export function sourceId(answer: string, number: number): string {
  return `source-${answer.slice(0, 8)}-${number}`;
}

/** An overview in which `[2]` leads to the second of so many sources. A number beyond them is left as it is. */
export function withCitations(overview: string, answer: string, sources: number): string {
  return overview.replaceAll(/\[(\d{1,2})\](?![(:])/g, (found, digits: string) => {
    const number = Number(digits);
    return number >= 1 && number <= sources ? `[\\[${number}\\]](#${sourceId(answer, number)})` : found;
  });
}
