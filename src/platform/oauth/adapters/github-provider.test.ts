import type { TestContext } from 'node:test';
import { agreeAs, createBrowser } from '../../../../test/support/oauth/browser.ts';
import { startGitHubServer } from '../../../../test/support/oauth/github-server.ts';
import { CLIENT, somebody } from '../../../../test/support/oauth/people.ts';
import { oauthConformance } from '../oauth.conformance.ts';
import { createGitHubProvider } from './github-provider.ts';

const REDIRECT_URI = 'http://127.0.0.1:9/callback';
const PEOPLE = new Map([
  ['mara', somebody('mara@example.com')],
  ['unverified', somebody('eve@example.com', false)],
]);

oauthConformance('GitHub', async (t: TestContext) => {
  const server = await startGitHubServer([REDIRECT_URI], PEOPLE);
  t.after(() => server.close());
  const stopAt = ({ href }: URL) => href.startsWith(REDIRECT_URI);
  return {
    provider: createGitHubProvider({ url: server.url, apiUrl: server.url, answerWithin: 1, ...CLIENT }),
    redirectUri: REDIRECT_URI,
    agree: async (url, login) => (await agreeAs(createBrowser(), url, { login }, { stopAt })).url,
    setState: (state) => {
      server.state = state;
    },
  };
});
