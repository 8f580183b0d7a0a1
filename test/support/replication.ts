import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import type { PullReply } from '../../src/exchange/replication/pull.contract.ts';
import type { PushReply } from '../../src/exchange/replication/push.contract.ts';
import { checksumOf } from '../../src/kit/crypto.ts';
import { type CallOptions, type CoreSetup, startCore, type TestCore } from './core.ts';

type LiveEntity = Extract<PullReply['entities'][number], { content: string }>;

/** It has read its whole folder, so that later changes are later in the list. */
export async function startHub(setup: CoreSetup = {}): Promise<TestCore> {
  const core = await startCore(setup);
  await core.call('POST', '/api/sync/refresh-all');
  return core;
}

/** One for all tests of a suite, whose first one finds the core filled in. */
export function hubOfSuite(setup: CoreSetup) {
  const core = {} as TestCore;
  before(async () => {
    Object.assign(core, await startHub(setup));
  });
  after(() => core.close());
  return { core, replica: replicaOf(core) };
}

/** A shorthand for an install's requests. */
export function replicaOf(core: TestCore) {
  const push = (entities: object[], more: object = {}, options: CallOptions = {}) =>
    core.call<PushReply & { code: string; detail: string }>('POST', '/api/desktop/sync/push', {
      ...options,
      body: { client_timestamp: new Date().toISOString(), entities, ...more },
    });
  const pull = async (query = '', options: CallOptions = {}) =>
    (await core.call<PullReply>('GET', `/api/desktop/sync/pull?${query}`, options)).body;
  const file = (path: string) => join(core.contentDir, path);
  return {
    push,
    pull,
    async pullAll(query = '') {
      const pages = [await pull(query)];
      for (let last = pages[0]; last?.has_more; last = pages.at(-1))
        pages.push(await pull(`${query}&cursor=${last.cursor}`));
      return {
        entities: pages.flatMap(({ entities }) => entities),
        files: pages.flatMap(({ files = [] }) => files),
        conflicts: pages.flatMap(({ conflicts }) => conflicts),
        complete: pages.at(-1)?.complete,
        cursor: pages.at(-1)?.cursor ?? '',
        pages: pages.length,
      };
    },
    read: (path: string) => readFileSync(file(path), 'utf8'),
    /** In one step, as editors do. */
    write(path: string, text: string | Uint8Array) {
      mkdirSync(dirname(file(path)), { recursive: true });
      const draft = join(dirname(file(path)), `.${randomUUID()}.tmp`);
      writeFileSync(draft, text);
      renameSync(draft, file(path));
    },
  };
}

export const liveOf = (entities: PullReply['entities']): LiveEntity[] =>
  entities.filter((entity): entity is LiveEntity => 'content' in entity);

/** A character with its whole text, as an install pushes it. */
export function pushed(id: string, text: string, version = 1, more: object = {}) {
  return {
    entity_type: 'character',
    entity_id: id,
    version,
    content: text,
    checksum: checksumOf(text),
    ...more,
  };
}

export const pathOf = (id: string): string => `Characters/${id}/CH_${id}.md`;

export const characterText = (id: string, { age = 30, body = 'One.\n\nTwo.\n' } = {}): string =>
  `---\nid: ${id}\nentity_type: character\nname: ${id}\nstatus: draft\noccupation: Reader\nage: ${age}\n---\n\n${body}`;
