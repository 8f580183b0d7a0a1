import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCore } from '../../../test/support/core.ts';
import { until } from '../../../test/support/until.ts';
import { systemClock } from '../../kit/clock.ts';
import { unauthorized } from '../../kit/errors.ts';
import { silentLog } from '../../kit/log.ts';
import type { Principal } from '../../kit/principal.ts';
import { createMemoryKeyValue } from '../../platform/kv/adapters/memory-kv.ts';
import { createFeeds } from './feeds.ts';
import { createPresence } from './presence.service.ts';
import { createSocketSession } from './socket-session.ts';
import { createTickets } from './tickets.ts';

const who: Principal = {
  userId: 'ann',
  email: 'ann@example.com',
  tenantId: 'local',
  role: 'editor',
  tenantRole: 'editor',
  plan: 'team',
};

test('what is found out about a token ends nothing once a fresh one was sent', async (t) => {
  const core = await startCore();
  t.after(() => core.close());
  const keyValue = createMemoryKeyValue();
  const { bus, projects } = core;
  const heard: string[] = [];
  const closed: number[] = [];
  let receive: (text: string) => void = () => {};
  let end: () => void = () => {};
  let look: () => Promise<Principal> = async () => who;
  const session = createSocketSession(
    {
      send: (text) => void heard.push(text),
      waiting: () => 0,
      close: (code) => void closed.push(code),
      onMessage(listener) {
        receive = listener;
      },
      onClose(listener) {
        end = listener;
      },
    },
    { query: { token: 'old' }, bearer: null },
    {
      authenticate: async (token) => (token === 'old' ? look() : who),
      projects,
      feeds: createFeeds({ bus, log: silentLog }),
      tickets: createTickets(keyValue),
      presence: createPresence({
        keyValue,
        bus,
        clock: systemClock,
        log: silentLog,
        nameOf: async () => null,
      }),
      log: silentLog,
      defaultProject: () => 'default',
      admit: () => true,
      dismiss: () => {},
    },
  );
  await until(() => heard.some((text) => text.includes('"ready"')));
  const { promise, reject } = Promise.withResolvers<Principal>();
  look = () => promise;
  const looked = session.recheck();
  receive(JSON.stringify({ type: 'auth', token: 'fresh' }));
  reject(unauthorized('The token has expired'));
  await looked;
  assert.deepEqual(closed, []);
  await session.recheck();
  assert.deepEqual(closed, []);
  end();
});
