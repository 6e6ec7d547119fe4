export type LinkedNote = { path: string; direction: 'to' | 'from' | 'both' };
export type PlacedNote = LinkedNote & { x: number; y: number };

/** Joins the targets of a note's links and the notes that link to it; the note itself is left out. */
export function joinLinks(
  note: string,
  targets: readonly string[],
  sources: readonly string[],
): LinkedNote[] {
  const linked = new Map<string, LinkedNote>();
  for (const path of targets) if (path !== note) linked.set(path, { path, direction: 'to' });
  for (const path of sources)
    if (path !== note) linked.set(path, { path, direction: linked.has(path) ? 'both' : 'from' });
  return [...linked.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Places notes on an ellipse around the center, starting at the top; every second one is nearer, so that names have room. */
export function placeAround(notes: readonly LinkedNote[], width: number, height: number): PlacedNote[] {
  return notes.map((note, index) => {
    const angle = (2 * Math.PI * index) / notes.length - Math.PI / 2;
    const near = notes.length > 6 && index % 2 === 1 ? 0.62 : 1;
    return {
      ...note,
      x: width / 2 + Math.cos(angle) * (width / 2) * 0.72 * near,
      y: height / 2 + Math.sin(angle) * (height / 2) * 0.8 * near,
    };
  });
}
