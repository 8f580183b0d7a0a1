import { onOtherAccount, setAccount } from './account.ts';
import { type Api, api } from './api.ts';
import { browserStore } from './browser-store.ts';
import { cache } from './cache.ts';
import { isRefusal } from './errors.ts';
import { onSessionEnd, renewSession } from './renew-session.ts';
import { endSession } from './requests.ts';
import { createStore, useStore, whenStore } from './store.ts';
import { studioConfigQuery } from './studio-config.ts';
import { closeWorkspace } from './workspace.ts';

export type Me = Awaited<ReturnType<Api['me']>>;

/**
 * `unknown`: not asked yet. `out`: nobody is signed in. `lapsed`: the session ended while a page was open, which stays.
 * `unreachable`: the service does not answer.
 */
export type Session =
  | { state: 'unknown' }
  | { state: 'out' }
  | { state: 'unreachable' }
  | { state: 'in'; me: Me }
  | { state: 'lapsed'; me: Me };

const session = createStore<Session>({ state: 'unknown' });

export const useSession = (): Session => useStore(session);

export const isSignedOut = (): boolean => session.get().state === 'out';

/** Resolves at once, or, where the session has lapsed, when it is renewed by a sign-in. */
export const whenSignedIn = (): Promise<Session> =>
  whenStore(session, (now): now is Session => now.state !== 'lapsed');

const KEPT = ['session'];

/** Finds the user by the cookies of this browser. Without the service it is the one who was signed in last. */
export async function loadSession(): Promise<void> {
  try {
    if (await mayBeSignedIn()) await enter(await api.me());
    else await forget();
  } catch (error) {
    if (isRefusal(error, 401)) await forget();
    else if (session.get().state !== 'in') await enterWithoutService();
  }
}

/** Asks only where there is a session, or was one: a browser shows each refusal as an error of the page. */
async function mayBeSignedIn(): Promise<boolean> {
  // Without a network the page begins at once, so there is one try.
  const { has_session } = await cache.fetchQuery({ ...studioConfigQuery, staleTime: 0, retry: false });
  if (has_session) return true;
  return (await keptMe()) !== undefined && (await renewSession());
}

async function enter(me: Me): Promise<void> {
  if (isAnothersPage(me.user_id)) shut();
  setAccount(me.user_id);
  session.set({ state: 'in', me });
  tell(me.user_id);
  await (await browserStore()).table('meta').put(KEPT, { me });
}

async function enterWithoutService(): Promise<void> {
  const me = await keptMe();
  if (me) setAccount(me.user_id);
  session.set(me ? { state: 'in', me } : { state: 'unreachable' });
}

async function keptMe(): Promise<Me | undefined> {
  return (await (await browserStore()).table('meta').get<{ me: Me }>(KEPT))?.me;
}

async function forget(): Promise<void> {
  if (accountNow() !== null) shut();
  session.set({ state: 'out' });
  await (await browserStore()).table('meta').remove(KEPT);
}

function accountNow(): string | null {
  const now = session.get();
  return now.state === 'in' || now.state === 'lapsed' ? now.me.user_id : null;
}

/** The page shows what belongs to somebody other than this account. */
function isAnothersPage(account: string | null): boolean {
  const shown = accountNow();
  return shown !== null && shown !== account;
}

/** Nothing of the account that was signed in may be seen by the next one, or be sent under their name. */
function shut(): void {
  closeWorkspace();
  setAccount(null);
  session.set({ state: 'unknown' });
  cache.clear();
}

export async function signIn(email: string, password: string): Promise<void> {
  const { user_id } = await api.webLogin({ body: { email, password } });
  if (isAnothersPage(user_id)) closeWorkspace();
  setAccount(user_id);
  await enter(await api.me());
}

export async function signOut(): Promise<void> {
  await endSession(() => api.webLogout());
  await forget();
  tell(null);
}

/** The page stays on the screen, and the user signs in over it. */
onSessionEnd(() => {
  const now = session.get();
  if (now.state === 'in') session.set({ state: 'lapsed', me: now.me });
});

onOtherAccount(() => {
  shut();
  void loadSession();
});

interface SessionMessage {
  /** Null after a sign-out. */
  account: string | null;
}

/** All tabs of a browser have the same cookies: one that went on as before would save under another name. */
const tabs = new BroadcastChannel('canonry-session');

function tell(account: string | null): void {
  tabs.postMessage({ account } satisfies SessionMessage);
}

tabs.onmessage = ({ data }: MessageEvent<SessionMessage>) => {
  const now = session.get();
  if (now.state === 'in' && now.me.user_id === data.account) return;
  if (isAnothersPage(data.account)) shut();
  void loadSession();
};
