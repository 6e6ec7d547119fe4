import { startAuthentication } from '@simplewebauthn/browser';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { place } from '../api/place.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useServices } from './services.ts';

/** Ways to sign in besides a link; nothing where there are none. */
export function SignInWays() {
  const { api } = useServices();
  const text = useSetupText().signIn;
  const path = useLocation({ select: ({ pathname }) => pathname });
  const { data: ways } = useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => api.signIn.ways(signal),
  });
  const show = useMutation({
    async mutationFn() {
      const asked = (await api.signIn.passkeyToShow()) as unknown as PublicKeyCredentialRequestOptionsJSON;
      await api.signIn.showPasskey(await startAuthentication({ optionsJSON: asked }));
    },
    onSuccess: () => location.reload(),
  });
  if (ways === undefined || (!ways.passkey && ways.provider === null)) return null;
  return (
    <div className="flex flex-col items-center gap-3">
      <p className="text-small text-soft">{text.or}</p>
      {ways.passkey && (
        <Button look="primary" disabled={show.isPending} onClick={() => show.mutate()}>
          {text.passkey}
        </Button>
      )}
      {ways.provider !== null && (
        <a href={`${place()}/api/sign-in/provider?to=${encodeURIComponent(path)}`} className={buttonClass()}>
          {text.provider(ways.provider)}
        </a>
      )}
      {show.error !== null && <ErrorNotice error={show.error} />}
    </div>
  );
}
