import { useStudioConfig } from '../data/studio-config.ts';
import { placeOf } from '../domain/places.ts';
import { AcceptInvite, ForgotPassword, ResetPassword } from '../features/account/letters.tsx';
import { Register } from '../features/account/register.tsx';
import { SignIn } from '../features/account/sign-in.tsx';
import { useAddress } from '../kit/router/router.ts';

/** The pages for people who are not signed in. Any other address is kept, and shown once they are. */
export function Doors() {
  const { path, search } = useAddress();
  const config = useStudioConfig();
  if (!config.data) return null;
  const place = placeOf(path, search);
  if (config.data.first_run) return <Register isFirst />;
  if (place.screen === 'start') return <SignIn config={config.data} failure={place.error ?? null} />;
  if (place.screen !== 'account') return <SignIn config={config.data} />;
  if (place.page === 'register') return <Register isFirst={false} />;
  if (place.page === 'forgot-password') return <ForgotPassword hasMail={config.data.mail} />;
  if (place.page === 'reset-password') return <ResetPassword token={place.token} />;
  if (place.page === 'accept-invite')
    return <AcceptInvite token={place.token} deployment={config.data.deployment} />;
  return <SignIn config={config.data} />;
}
