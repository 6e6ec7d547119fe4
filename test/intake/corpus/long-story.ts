export const chapters = 20;
export const paragraphs = 12;

/** About sixty pages whose first lines are similar, but not equal. */
export function longStory(): string {
  return `<!doctype html><html lang="en"><head><title>The long crossing</title></head><body>
    <h1>The long crossing</h1>${numbers(chapters).map(writeChapter).join('')}</body></html>`;
}

export function sentence(chapter: number, paragraph: number, number: number): string {
  return `Chapter ${chapter}, paragraph ${paragraph}, sentence ${number}: the ferry left the island at dawn and nobody waved.`;
}

function writeChapter(chapter: number): string {
  const texts = numbers(paragraphs).map((paragraph) =>
    numbers(7)
      .map((number) => sentence(chapter, paragraph, number))
      .join(' '),
  );
  return `<h2 style="break-before: page">Chapter ${chapter}</h2>${texts.map((text) => `<p>${text}</p>`).join('')}`;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
