import { useState } from 'react';
import type { DragEvent } from 'react';

/** For an element that takes what is dropped on it. */
export function useDrop(take: (dropped: DataTransfer) => void) {
  const [isOver, setIsOver] = useState(false);
  const handlers = {
    onDragOver(event: DragEvent): void {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave(event: DragEvent): void {
      // Between parts of the element, nothing has left it.
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
    },
    onDrop(event: DragEvent): void {
      event.preventDefault();
      setIsOver(false);
      take(event.dataTransfer);
    },
  };
  return { isOver, handlers };
}
