import { parseProviderUrl, parseReturnUrl } from './parse-oauth.ts';
import { parseList } from './parse-text.ts';
import { optional, withDefault } from './variable.ts';

/** Sign-in by OAuth providers. A provider is offered once its client id and secret are set. */
export const OAUTH_VARIABLES = {
  googleClientId: optional('OAUTH_GOOGLE_CLIENT_ID', {
    description: 'Client id at Google, or at the OpenID provider of `OAUTH_GOOGLE_ISSUER`',
    example: '1234.apps.googleusercontent.com',
    parse: String,
  }),
  googleClientSecret: optional('OAUTH_GOOGLE_CLIENT_SECRET', {
    description: 'Its secret',
    example: 'GOCSPX-…',
    secrecy: 'whole',
    parse: String,
  }),
  googleIssuer: withDefault('OAUTH_GOOGLE_ISSUER', {
    description: 'Where the OpenID provider is. Its discovery document is fetched on first use',
    example: 'https://accounts.google.com',
    start: 'https://accounts.google.com',
    parse: parseProviderUrl,
  }),
  githubClientId: optional('OAUTH_GITHUB_CLIENT_ID', {
    description: 'Client id at GitHub, or at the installation of `OAUTH_GITHUB_URL`',
    example: 'Iv1.0123456789abcdef',
    parse: String,
  }),
  githubClientSecret: optional('OAUTH_GITHUB_CLIENT_SECRET', {
    description: 'Its secret',
    example: '0123…',
    secrecy: 'whole',
    parse: String,
  }),
  githubUrl: withDefault('OAUTH_GITHUB_URL', {
    description: 'Where people sign in to GitHub',
    example: 'https://github.com',
    start: 'https://github.com',
    parse: parseProviderUrl,
  }),
  githubApiUrl: withDefault('OAUTH_GITHUB_API_URL', {
    description: "Where GitHub's API is",
    example: 'https://api.github.com',
    start: 'https://api.github.com',
    parse: parseProviderUrl,
  }),
  oauthReturnUrls: withDefault('OAUTH_RETURN_URLS', {
    description:
      'Where a sign-in may lead besides this service itself, separated by commas: pages of web apps, addresses of mobile apps',
    example: 'https://studio.example.com/signed-in,canonry://signed-in',
    start: '',
    parse: parseList(parseReturnUrl),
  }),
};
