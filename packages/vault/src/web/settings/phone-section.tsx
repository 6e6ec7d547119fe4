import { useMutation } from '@tanstack/react-query';
import { encode } from 'uqr';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button } from '../ui/button.tsx';
import { CopyableCommand } from '../ui/copyable-command.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Section } from '../ui/page.tsx';

/** Signs a phone in with a QR code. If this page is on localhost, it explains how to make the server reachable. */
export function PhoneSection() {
  const { api } = useServices();
  const text = useSetupText().phone;
  const link = useMutation({ mutationFn: () => api.signIn.createLink(), gcTime: 0 });
  const isAlone = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(location.hostname);
  return (
    <Section title={text.title}>
      {isAlone ? (
        <>
          <p className="text-small">{text.alone}</p>
          <CopyableCommand>keepsake serve --allow-host vault.example.org</CopyableCommand>
        </>
      ) : (
        <>
          {link.data !== undefined && <QrCode text={withPageOrigin(link.data.url)} label={text.label} />}
          {link.data !== undefined && <p className="text-small">{text.scan}</p>}
          {link.error !== null && <ErrorNotice error={link.error} />}
          <Button className="self-start" disabled={link.isPending} onClick={() => link.mutate()}>
            {link.data === undefined ? text.show : text.again}
          </Button>
        </>
      )}
      <p className="text-small text-soft">{text.install}</p>
    </Section>
  );
}

/** The link with the origin of this page, because a proxy may have a different host name from the server behind it. */
function withPageOrigin(link: string): string {
  const { pathname, search } = new URL(link);
  return `${location.origin}${pathname}${search}`;
}

function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-56 max-w-full rounded-medium"
    >
      {/* Cameras expect dark on light, in every theme. */}
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
