import { startAuthentication } from '@simplewebauthn/browser';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { vaultPrefix } from '../api/vault-prefix.ts';
import { useSetupText } from '../text/setup-text.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useServices } from './services.ts';

/** The sign-in methods of the server other than links; empty if there are none. */
export function SignInOptions() {
  const { api } = useServices();
  const text = useSetupText().signIn;
  const path = useLocation({ select: ({ pathname }) => pathname });
  const { data: methods } = useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => api.signIn.methods(signal),
  });
  const show = useMutation({
    async mutationFn() {
      const asked = (await api.signIn.passkeyToShow()) as unknown as PublicKeyCredentialRequestOptionsJSON;
      await api.signIn.showPasskey(await startAuthentication({ optionsJSON: asked }));
    },
    onSuccess: () => location.reload(),
  });
  if (methods === undefined || (!methods.passkey && methods.provider === null)) return null;
  return (
    <div className="flex flex-col items-center gap-3">
      <p className="text-small text-soft">{text.or}</p>
      {methods.passkey && (
        <Button variant="primary" disabled={show.isPending} onClick={() => show.mutate()}>
          {text.passkey}
        </Button>
      )}
      {methods.provider !== null && (
        <a
          href={`${vaultPrefix()}/api/sign-in/provider?to=${encodeURIComponent(path)}`}
          className={buttonClass()}
        >
          {text.provider(methods.provider)}
        </a>
      )}
      {show.error !== null && <ErrorNotice error={show.error} />}
    </div>
  );
}
