import { text } from 'node:stream/consumers';
import { HttpError, invalid } from '../../kit/errors.ts';
import { checkStorable } from '../../kit/http/json-body.ts';
import { type Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import { DESKTOP_SIGN_IN_PATH, decideDesktopSignIn, showDesktopSignIn } from './desktop-sign-in.contract.ts';
import { type SignInPage, signInPage } from './desktop-sign-in.page.ts';
import type { DesktopRequest, DesktopSignIn } from './desktop-sign-in.service.ts';
import { checkedLoopback } from './loopback-redirect.ts';
import { redirect } from './oauth.routes.ts';
import type { Providers } from './providers.ts';

type PageRequest = Pick<RouteRequest<typeof showDesktopSignIn>, 'query' | 'cookies'>;
type Decision = RouteRequest<typeof decideDesktopSignIn>;

export interface DesktopSignInRoutesOptions {
  providers: Providers;
  desktopSignIn: DesktopSignIn;
}

/** True for refusals that the person at the form may see. */
const isTheirs = (error: unknown): error is HttpError => error instanceof HttpError && error.status < 500;

function requestOf({ query }: PageRequest): DesktopRequest {
  const { redirect_uri, state, code_challenge: challenge } = query;
  return { redirectUri: checkedLoopback(redirect_uri), state, challenge };
}

function pageFor({ query }: PageRequest, providers: Providers): Omit<SignInPage, 'email'> {
  const action = `${DESKTOP_SIGN_IN_PATH}?${new URLSearchParams(query)}`;
  return {
    action,
    redirectOrigin: new URL(query.redirect_uri).origin,
    client: query.client ?? null,
    providers: providers.list.map(({ id, label }) => ({
      name: label,
      url: `/api/auth/oauth/${id}?${new URLSearchParams({ return_to: action })}`,
    })),
  };
}

/** Reads a form that states its length, which the contract limits. */
async function formOf({ stream, headers }: Decision): Promise<URLSearchParams> {
  if (headers['content-length'] === undefined)
    throw new HttpError(411, 'Send the form with its Content-Length');
  const form = new URLSearchParams(stream === null ? '' : await text(stream));
  checkStorable(Object.fromEntries(form));
  return form;
}

export function desktopSignInRoutes({ providers, desktopSignIn }: DesktopSignInRoutesOptions): Route[] {
  async function show(request: PageRequest): Promise<Reply> {
    requestOf(request);
    const session = await desktopSignIn.browserSession(request.cookies);
    return signInPage({
      ...pageFor(request, providers),
      email: session?.user.email ?? null,
      cookies: session?.cookies ?? [],
    });
  }

  async function signInByForm(request: Decision, form: URLSearchParams): Promise<Reply> {
    const [email, password] = [form.get('email') ?? '', form.get('password') ?? ''];
    try {
      const user = await desktopSignIn.userOf({ email, password }, request.address);
      return redirect(await desktopSignIn.allow(requestOf(request), user));
    } catch (error) {
      if (!isTheirs(error)) throw error;
      const problem = { message: error.message, email, status: error.status };
      return signInPage({ ...pageFor(request, providers), email: null, problem });
    }
  }

  async function agree(request: Decision): Promise<Reply> {
    const session = await desktopSignIn.browserSession(request.cookies);
    if (session === null) return show(request);
    return redirect(await desktopSignIn.allow(requestOf(request), session.user), session.cookies);
  }

  return [
    route(showDesktopSignIn, show),
    route(decideDesktopSignIn, async (request) => {
      const desktopRequest = requestOf(request);
      const form = await formOf(request);
      const decision = form.get('decision');
      if (decision === 'deny') return redirect(desktopSignIn.deny(desktopRequest));
      if (decision !== 'allow') throw invalid('Send the form of the page: decision is allow or deny');
      return form.has('email') ? signInByForm(request, form) : agree(request);
    }),
  ];
}
