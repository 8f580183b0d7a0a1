import { ClientSecretPost, Configuration, fetchProtectedResource } from 'openid-client';
import { OAuthError, type OAuthProfile, type OAuthProvider } from '../oauth.ts';
import { withOAuthErrors } from './bounded-fetch.ts';
import { authorizationUrlOf, type ClientOptions, exchangeCode, httpOptions } from './code-flow.ts';

export interface GitHubOptions extends ClientOptions {
  /** `https://github.com`, or a private installation. */
  url: string;
  /** `https://api.github.com` */
  apiUrl: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Plain OAuth 2 as GitHub implements it: there is no ID token, so the profile comes from its API. */
export function createGitHubProvider({ apiUrl, ...options }: GitHubOptions): OAuthProvider {
  const config = configurationOf(options);

  async function ask(accessToken: string, path: string): Promise<unknown> {
    const headers = new Headers({ accept: 'application/vnd.github+json' });
    const response = await fetchProtectedResource(
      config,
      accessToken,
      new URL(apiUrl + path),
      'GET',
      null,
      headers,
    );
    if (!response.ok) throw new OAuthError('refused', `GitHub answered with status ${response.status}`);
    return response.json();
  }

  return {
    id: 'github',
    label: 'GitHub',
    authorizationUrl: (request) =>
      withOAuthErrors(() => authorizationUrlOf(config, request, { scope: 'read:user user:email' })),
    signIn: (response) =>
      withOAuthErrors(async () => {
        const { access_token: token } = await exchangeCode(config, { ...response, issuer: null });
        const [user, emails] = await Promise.all([ask(token, '/user'), ask(token, '/user/emails')]);
        return profileOf(user, emails);
      }),
    storage: null,
  };
}

function configurationOf(options: Omit<GitHubOptions, 'apiUrl'>): Configuration {
  const { url, clientId, clientSecret } = options;
  const config = new Configuration(
    {
      issuer: url,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    },
    clientId,
    clientSecret,
    ClientSecretPost(clientSecret),
  );
  const { execute, ...settings } = httpOptions(url, options);
  for (const allow of execute) allow(config);
  return Object.assign(config, settings);
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const textOr = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Only the primary address counts: the person may hardly read the others. */
function profileOf(user: unknown, emails: unknown): OAuthProfile {
  if (!isObject(user) || !Number.isSafeInteger(user.id))
    throw new OAuthError('refused', 'GitHub did not say who came');
  const list: unknown[] = Array.isArray(emails) ? emails : [];
  const primary = list.filter(isObject).find((each) => each.primary === true);
  return {
    subject: String(user.id),
    email: textOr(primary?.email),
    emailVerified: primary?.verified === true,
    name: textOr(user.name) ?? textOr(user.login),
    picture: textOr(user.avatar_url),
  };
}
