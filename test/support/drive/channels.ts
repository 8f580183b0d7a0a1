import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, badRequest, invalid } from './api-error.ts';
import { textOf } from './requests.ts';
import { newId } from './store.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

export interface Channel {
  id: string;
  resourceId: string;
  resourceUri: string;
  address: string;
  token: string;
  endsAt: number;
  /** Of the newest notification. */
  number: number;
}

/** How notifications come; all of them well at first. */
export interface Notifications {
  /** The next ones are lost, of a number or all. */
  lose: number;
  delayMs: number;
  /** Each comes two times. */
  isDoubled: boolean;
  /** Each waits for the one after it. */
  isReordered: boolean;
  /** Every one that was sent, as its headers. */
  readonly sent: Record<string, string>[];
  /** Sends one that the drive did not make, with headers changed. Returns the status of its answer. */
  forge(address: string, headers?: Record<string, string>): Promise<number>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export interface Channels {
  live: Map<string, Channel>;
  notifications: Notifications;
  open(body: Record<string, unknown>, resourceUri: string, allowHttp: boolean): object;
  /** Throws 404. */
  stop(id: string, resourceId: string): void;
  /** Tells every live channel. */
  notify(): void;
}

export function createChannels(
  now: () => number,
  reach: (address: string) => string = (address) => address,
): Channels {
  const live = new Map<string, Channel>();
  const underWay = new Set<Promise<unknown>>();
  const held: (() => void)[] = [];
  const resourceId = newId();

  const post = async (address: string, headers: Record<string, string>, delayMs: number) => {
    if (delayMs > 0) await pause(delayMs);
    notifications.sent.push(headers);
    return fetch(reach(address), { method: 'POST', headers, signal: AbortSignal.timeout(10_000) });
  };

  const send = (channel: Channel, state: 'sync' | 'change') => {
    channel.number += 1;
    if (notifications.lose > 0) {
      notifications.lose -= 1;
      return;
    }
    const headers = headersOf(channel, state);
    const start = () => {
      for (let copy = 0; copy < (notifications.isDoubled ? 2 : 1); copy += 1) {
        const sending = post(channel.address, headers, notifications.delayMs).catch(() => {});
        underWay.add(sending);
        sending.finally(() => underWay.delete(sending));
      }
    };
    if (!notifications.isReordered) {
      start();
      return;
    }
    held.push(start);
    if (held.length > 1) for (const each of held.splice(0).reverse()) each();
  };

  const notifications: Notifications = {
    lose: 0,
    delayMs: 0,
    isDoubled: false,
    isReordered: false,
    sent: [],
    async forge(address, headers = {}) {
      const channel = {
        id: 'forged',
        resourceId,
        resourceUri: '',
        address,
        token: 'forged',
        endsAt: now(),
        number: 1,
      };
      const response = await fetch(address, {
        method: 'POST',
        headers: { ...headersOf(channel, 'change'), ...headers },
      });
      return response.status;
    },
    async idle() {
      for (const each of held.splice(0)) each();
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };

  return {
    live,
    notifications,
    open(body, resourceUri, allowHttp) {
      const channel = channelOf(body, now());
      if (live.has(channel.id))
        throw new ApiError(400, {
          reason: 'channelIdNotUnique',
          message: `Channel id ${channel.id} not unique`,
        });
      if (!allowHttp && !channel.address.startsWith('https://'))
        throw new ApiError(400, {
          reason: 'push.webhookUrlNotHttps',
          message: `WebHook callback must be HTTPS: ${channel.address}`,
        });
      const opened = { ...channel, resourceId, resourceUri };
      live.set(opened.id, opened);
      send(opened, 'sync');
      const { id, token, endsAt } = opened;
      return {
        kind: 'api#channel',
        id,
        resourceId,
        resourceUri,
        ...(token && { token }),
        expiration: String(endsAt),
      };
    },
    stop(id, resource) {
      if (live.get(id)?.resourceId !== resource || !live.delete(id))
        throw new ApiError(404, { reason: 'notFound', message: `Channel '${id}' not found for project '1'` });
    },
    notify() {
      for (const channel of live.values())
        if (channel.endsAt > now()) send(channel, 'change');
        else live.delete(channel.id);
    },
  };
}

function channelOf(body: Record<string, unknown>, now: number): Omit<Channel, 'resourceId' | 'resourceUri'> {
  const [id, address, token = ''] = [textOf(body, 'id'), textOf(body, 'address'), textOf(body, 'token')];
  if (!id || !/^[\w\-+/=]{1,64}$/.test(id)) throw invalid('id');
  if (!['web_hook', 'webhook'].includes(textOf(body, 'type') ?? '')) throw badRequest('Unknown channel type');
  if (!address || !URL.canParse(address)) throw invalid('address');
  if (token.length > 256) throw invalid('token');
  const wished = body.expiration === undefined ? now + HOUR_MS : Number(body.expiration);
  if (!Number.isFinite(wished) || wished <= now) throw invalid('expiration');
  return { id, address, token, endsAt: Math.min(wished, now + WEEK_MS), number: 0 };
}

const headersOf = (channel: Channel, state: string): Record<string, string> => ({
  'x-goog-channel-id': channel.id,
  ...(channel.token && { 'x-goog-channel-token': channel.token }),
  'x-goog-channel-expiration': new Date(channel.endsAt).toUTCString(),
  'x-goog-resource-id': channel.resourceId,
  'x-goog-resource-uri': channel.resourceUri,
  'x-goog-resource-state': state,
  'x-goog-message-number': String(channel.number),
});
