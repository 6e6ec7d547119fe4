import { useText } from '../text/use-text.ts';

/** A key that is pressed together with the one that commands use on this machine. */
export function Keys({ letter }: { letter: 'K' | 'Enter' }) {
  const { shell } = useText();
  const command = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
  return (
    <kbd className="font-sans">
      {command} {letter === 'Enter' ? shell.enter : letter}
    </kbd>
  );
}
