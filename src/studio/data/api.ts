import { calls } from 'virtual:canonry/calls';
import { type Client, createCallClient, type Transport } from '../../client/call-client.ts';
import type { contracts } from '../build/contracts.ts';
import { currentAccount, tellOtherAccount } from './account.ts';
import { renewSession } from './renew-session.ts';

export type Api = Client<typeof contracts>;

/** The browser sends the cookies of the session. A call that comes too late for them renews them once, and is repeated. */
const send =
  (headers: Readonly<Record<string, string>>): Transport =>
  async (url, request) => {
    const own: Record<string, string> = { ...headers, ...ofAccount() };
    const attempt = () => fetch(url, { ...request, headers: { ...request.headers, ...own } });
    const response = await attempt();
    if (response.status === 409) await noteOtherAccount(response, own['x-canonry-account']);
    if (response.status !== 401 || url.startsWith('/api/auth/')) return response;
    return (await renewSession()) ? attempt() : response;
  };

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

const clientWith = (headers: Readonly<Record<string, string>>): Api =>
  createCallClient<typeof contracts>(calls as Parameters<typeof createCallClient<typeof contracts>>[0], {
    baseUrl: '',
    fetch: send(headers),
  });

/** Routes that belong to no world. */
export const api = clientWith({});

/** Requests of one world that are no calls, such as for a stream; with the session, as calls are. */
export const sendTo = (project: string): Transport => send({ 'x-project-id': project });

const ofProjects = new Map<string, Api>();

/** The same routes, for one world. */
export function apiOf(project: string): Api {
  const known = ofProjects.get(project) ?? clientWith({ 'x-project-id': project });
  ofProjects.set(project, known);
  return known;
}
