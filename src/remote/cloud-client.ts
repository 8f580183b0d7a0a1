import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { createClient } from '../client/client.ts';
import {
  type BatchFile,
  CloudError,
  type ConflictAnswer,
  type OpenCloud,
  type Sent,
} from '../exchange/cloud/index.ts';
import { pullFromCloud } from '../exchange/replication/pull.contract.ts';
import { pushToCloud } from '../exchange/replication/push.contract.ts';
import { resolveDesktopConflict } from '../exchange/replication/resolve.contract.ts';
import { isoTime, systemClock } from '../kit/clock.ts';
import type { Contract } from '../kit/contract.ts';
import { authContracts } from '../people/auth/auth.contract.ts';
import type { PrivateEndpoints } from '../platform/outgoing/outgoing.ts';
import { getFile } from '../world/assets/files.contract.ts';
import { beginBatch } from '../world/uploads/batch.contract.ts';
import { checkedCall, withCloudErrors } from './cloud-calls.ts';
import { type CloudTransport, createCloudTransport } from './cloud-transport.ts';

/** Without the account, of which a core and the accounts service of a cloud say different things. */
const refresh = {
  ...authContracts.refresh,
  reply: Type.Object({
    access_token: Type.String(),
    refresh_token: Type.Optional(Type.String()),
    expires_in: Type.Integer(),
  }),
};

const contracts = {
  refresh,
  me: authContracts.me,
  pullFromCloud,
  pushToCloud,
  resolveDesktopConflict,
  beginBatch,
};

const clientOf = (transport: CloudTransport, baseUrl: string, token?: string) =>
  createClient({ contracts, baseUrl, fetch: transport.exchange, ...(token !== undefined && { token }) });

type Client = ReturnType<typeof clientOf>;
type ProjectHeader = { 'x-project-id': string };

const calls = () => ({
  refresh: checkedCall(refresh, async (client: Client, refresh_token: string) => ({
    refresh_token,
    ...(await client.refresh({ body: { refresh_token } })),
  })),
  account: checkedCall(contracts.me, (client: Client) => client.me()),
  pull: checkedCall(pullFromCloud, (client: Client, headers: ProjectHeader, cursor: string | null) =>
    client.pullFromCloud({ query: { files: true, ...(cursor !== null && { cursor }) }, headers }),
  ),
  push: checkedCall(pushToCloud, (client: Client, headers: ProjectHeader, sent: Sent, key: string) => {
    const { cursor, ...rest } = sent;
    const body = {
      ...rest,
      client_timestamp: isoTime(systemClock.now()),
      auto_merge: true,
      ...(cursor !== null && { cursor }),
    };
    return client.pushToCloud({ body, headers: { ...headers, 'idempotency-key': key } });
  }),
  beginBatch: checkedCall(beginBatch, (client: Client, headers: ProjectHeader, files: readonly BatchFile[]) =>
    client.beginBatch({ body: { files: [...files] }, headers }),
  ),
  answer: checkedCall(
    resolveDesktopConflict,
    (client: Client, headers: ProjectHeader, conflict_id: string, body: ConflictAnswer) =>
      client.resolveDesktopConflict({ params: { conflict_id }, body, headers }),
  ),
});

/** Calls a cloud over HTTP, with limits on time and bytes; each reply is checked against its contract. */
export function cloudOpener(privateEndpoints: PrivateEndpoints): OpenCloud {
  const transport = createCloudTransport(privateEndpoints);
  let made: ReturnType<typeof calls> | undefined;
  return ({ url, token, projectId }) => {
    made ??= calls();
    const call = made;
    const project = { 'x-project-id': projectId };
    /** If the cloud refuses the token early, it is renewed and the call repeated once. */
    async function withSession<Result>(ask: (client: Client) => Promise<Result>): Promise<Result> {
      const first = await withCloudErrors(token);
      try {
        return await ask(clientOf(transport, url, first));
      } catch (error) {
        if (!(error instanceof CloudError && error.code === 'signed_out')) throw error;
        const next = await withCloudErrors(() => token(first));
        if (next === first) throw error;
        return ask(clientOf(transport, url, next));
      }
    }
    const authorized = async () => ({ authorization: `Bearer ${await token()}`, ...project });
    return {
      refresh: (refreshToken) => call.refresh(clientOf(transport, url), refreshToken),
      account: () => withSession((client) => call.account(client)),
      pull: (cursor) => withSession((client) => call.pull(client, project, cursor)),
      push: (sent, key) => withSession((client) => call.push(client, project, sent, key)),
      beginBatch: (files) => withSession((client) => call.beginBatch(client, project, files)),
      async answerConflict(conflictId, answer) {
        await withSession((client) => call.answer(client, project, conflictId, answer));
      },
      sendBytes: (upload, size, bytes) =>
        withCloudErrors(async () => {
          // The cloud's object storage must not see the token.
          const isOwn = upload.url.startsWith('/');
          const headers = { ...upload.headers, ...(isOwn && (await authorized())) };
          await put(transport, isOwn ? `${url}${upload.url}` : upload.url, headers, { size, bytes });
        }),
      fetchFile: (path, sha256) =>
        withCloudErrors(async () => {
          const address = `${url}${pathOf(getFile, path)}?v=${sha256}`;
          return transport.open(address, { method: 'GET', headers: await authorized() });
        }),
    };
  };
}

const put = (
  transport: CloudTransport,
  url: string,
  headers: Record<string, string>,
  { size, bytes }: { size: number; bytes: Readable },
): Promise<void> =>
  transport.send(url, {
    method: 'PUT',
    headers: { ...headers, 'content-length': String(size) },
    body: bytes,
  });

const pathOf = ({ path }: Contract, rest: string): string =>
  path.replace('{path}', rest.split('/').map(encodeURIComponent).join('/'));
