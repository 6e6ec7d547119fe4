import { useState } from 'react';
import type { DragEvent } from 'react';

/** Handlers for an element that accepts dropped data. */
export function useDrop(onDropped: (dropped: DataTransfer) => void) {
  const [isOver, setIsOver] = useState(false);
  const handlers = {
    onDragOver(event: DragEvent): void {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave(event: DragEvent): void {
      // Moving between children of the element also fires `dragleave`.
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
    },
    onDrop(event: DragEvent): void {
      event.preventDefault();
      setIsOver(false);
      onDropped(event.dataTransfer);
    },
  };
  return { isOver, handlers };
}
