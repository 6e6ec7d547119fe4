import { useText } from '../text/use-text.ts';

/** A keyboard shortcut with the modifier of the platform. */
export function Shortcut({ letter }: { letter: 'K' | 'Enter' }) {
  const { shell } = useText();
  const command = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
  return (
    <kbd className="font-sans">
      {command} {letter === 'Enter' ? shell.enter : letter}
    </kbd>
  );
}
