import { calls } from 'virtual:canonry/calls';
import { type Client, createCallClient, type Transport } from '../../client/call-client.ts';
import type { contracts } from '../build/contracts.ts';
import { currentAccount, tellOtherAccount } from './account.ts';
import { renewSession } from './renew-session.ts';
import { inSession } from './requests.ts';

export type Api = Client<typeof contracts>;

const SIGNING = '/api/auth/web/';

const send =
  (headers: Readonly<Record<string, string>>, by: Transport = fetch): Transport =>
  (url, request) => {
    const ask = () => sendAs({ ...headers, ...ofAccount() }, by, url, request);
    return url.startsWith(SIGNING) ? ask() : inSession(ask);
  };

/**
 * Requests of one world. Nothing of it is asked once the user has signed out, while parts of its page go on until they are
 * gone.
 */
export const sendTo =
  (project: string, by?: Transport): Transport =>
  async (url, request) => {
    if (currentAccount() === null) throw new DOMException('Nobody is signed in', 'AbortError');
    return send({ 'x-project-id': project }, by)(url, request);
  };

/** The browser sends the cookies of the session. A call that comes too late for them renews them once, and is repeated. */
async function sendAs(
  own: Readonly<Record<string, string>>,
  by: Transport,
  ...[url, request]: Parameters<Transport>
): Promise<Response> {
  const attempt = () => by(url, { ...request, headers: { ...request.headers, ...own } });
  const response = await attempt();
  if (response.status === 409) await noteOtherAccount(response, own['x-canonry-account']);
  if (response.status !== 401 || url.startsWith('/api/auth/')) return response;
  return (await renewSession()) ? attempt() : response;
}

/** A page that was left by its user must not write as the one who signed in after them. */
const ofAccount = (): Readonly<Record<string, string>> => {
  const account = currentAccount();
  return account === null ? {} : { 'x-canonry-account': account };
};

/** A late answer to a request of the account before tells nothing. */
async function noteOtherAccount(response: Response, account: string | undefined): Promise<void> {
  if (account !== currentAccount()) return;
  const body: { code?: string } | null = await response
    .clone()
    .json()
    .catch(() => null);
  if (body?.code === 'other_account') tellOtherAccount();
}

const clientOf = (transport: Transport): Api =>
  createCallClient<typeof contracts>(calls as Parameters<typeof createCallClient<typeof contracts>>[0], {
    baseUrl: '',
    fetch: transport,
  });

/** Routes that belong to no world. */
export const api = clientOf(send({}));

const ofProjects = new Map<string, Api>();

/** The same routes, for one world. */
export function apiOf(project: string): Api {
  const known = ofProjects.get(project) ?? clientOf(sendTo(project));
  ofProjects.set(project, known);
  return known;
}
