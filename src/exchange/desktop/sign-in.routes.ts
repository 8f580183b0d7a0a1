import { type Route, route } from '../../kit/route.ts';
import { beginSignIn, finishSignIn, getSignIn, signOut } from './sign-in.contract.ts';
import type { SignIn } from './sign-in.service.ts';

export const signInRoutes = (signIn: SignIn): Route[] => [
  route(getSignIn, () => signIn.status()),
  route(beginSignIn, ({ body }) => signIn.begin(body?.cloud_url)),
  route(finishSignIn, async ({ body }) => {
    await signIn.finish(body.code, body.state);
    return signIn.status();
  }),
  route(signOut, async () => {
    const { wasSignedIn, revoked } = await signIn.end();
    return { message: wasSignedIn ? 'Signed out' : 'Nobody was signed in', revoked };
  }),
];
