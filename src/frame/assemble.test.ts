import assert from 'node:assert/strict';
import test from 'node:test';
import { silentLog } from '../kit/log.ts';
import { assemble, tablesOf, withoutJobs } from './assemble.ts';
import { defineModule } from './module.ts';

const clock = defineModule({
  name: 'clock',
  tables: [{ name: 'clock-1', up: async () => {} }],
  create: ({ now }: { now: number }) => ({ service: { now: () => now } }),
});
const greeting = defineModule({
  name: 'greeting',
  uses: { clock },
  create: ({ word }: { word: string }, services) => ({
    service: { greet: () => `${word} at ${services.clock.now()}` },
    start: async () => {},
  }),
});

test('a module gets the services that it uses and what it takes of the context', () => {
  const assembled = assemble({ now: 7, word: 'Hello' }, [clock, greeting]);
  assert.equal(assembled.service(greeting).greet(), 'Hello at 7');
  assert.deepEqual(
    assembled.modules.map(({ name, routes, start }) => [name, routes.length, start !== undefined]),
    [
      ['clock', 0, false],
      ['greeting', 0, true],
    ],
  );
});

test('a list stands on one that was assembled before', () => {
  const below = assemble({ now: 1 }, [clock]);
  const above = assemble({ word: 'Again' }, [greeting], below);
  assert.equal(above.service(greeting).greet(), 'Again at 1');
  assert.equal(above.service(clock), below.service(clock));
  assert.deepEqual(
    above.modules.map(({ name }) => name),
    ['greeting'],
  );
});

test('the list is in any order: what a module uses is created before it', () => {
  const { modules } = assemble({ now: 1, word: 'Early' }, [greeting, clock]);
  assert.deepEqual(
    modules.map(({ name }) => name),
    ['clock', 'greeting'],
  );
});

test('a module that is in no list is refused by name', () => {
  assert.throws(() => assemble({ word: 'Alone' }, [greeting]), /the module 'clock' is not in the list/);
});

test('groups of routes are described in the order of the list', () => {
  const entities = defineModule({
    name: 'entities',
    tags: { Entities: 'What is there' },
    create: () => ({}),
  });
  const assets = defineModule({ name: 'assets', tags: { Assets: 'Pictures' }, create: () => ({}) });
  assert.deepEqual(Object.keys(assemble({}, [entities, assets]).tags), ['Entities', 'Assets']);
});

test('the schema has the steps of a used module before those of its user, and each once', () => {
  const [seconds] = clock.tables ?? [];
  assert.ok(seconds);
  const alarm = defineModule({
    name: 'alarm',
    uses: { clock },
    tables: [{ ...seconds, name: 'alarm-1' }],
    create: () => ({}),
  });
  const names = tablesOf([alarm, greeting, clock]).map(({ name }) => name);
  assert.deepEqual(names, ['clock-1', 'alarm-1']);
});

test('a module with jobs that would only be served is refused by name, since nobody would work on them', () => {
  const working = defineModule({
    name: 'working',
    create: () => ({ jobs: [{ queue: 'later', atOnce: 1, handlers: {}, log: silentLog }] }),
  });
  assert.equal(withoutJobs(assemble({}, [defineModule({ name: 'idle', create: () => ({}) })])).length, 1);
  assert.throws(() => withoutJobs(assemble({}, [working])), /'working' has jobs/);
});
