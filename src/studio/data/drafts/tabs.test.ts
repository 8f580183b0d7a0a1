import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/support/properties.ts';
import { bodyOf, partOf } from '../../domain/drafts/draft.ts';
import { openStore } from '../../kit/store/open-store.ts';
import { createDraftClient } from '../../testing/draft-client.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createFakeEntityService, entityState } from '../../testing/fake-entity-service.ts';
import { rebaseText } from '../../testing/rebase-text.ts';
import { type Channel, createTabLocks, createTabs } from './tabs.ts';

const key = { account: 'ada', project: 'p', type: 'character', id: 'mira' };

/** Messages wait until they are delivered, in order, as between processes. */
function createWire() {
  const ends: Channel[] = [];
  const waiting: { to: Channel; data: unknown }[] = [];
  return {
    connect(): Channel {
      const end: Channel = {
        onmessage: null,
        close: () => undefined,
        postMessage(message) {
          for (const to of ends) if (to !== end) waiting.push({ to, data: structuredClone(message) });
        },
      };
      ends.push(end);
      return end;
    },
    deliver() {
      for (let next = waiting.shift(); next; next = waiting.shift()) next.to.onmessage?.({ data: next.data });
    },
  };
}

async function setUp() {
  const clock = createFakeClock();
  const service = createFakeEntityService();
  service.put(key, entityState({ fields: { age: 3 }, markdown_body: 'one\ntwo\n' }));
  const store = await openStore({ name: 'x', now: clock.now, patienceMs: 1 });
  const wire = createWire();
  const alive = new Set(['a', 'b']);
  const openTab = async (tab: string) => {
    const client: ReturnType<typeof createDraftClient> = createDraftClient({
      store,
      clock,
      tab,
      api: service.apiOf('ada'),
      isTabAlive: async (other) => alive.has(other),
      onChange: (draft) => tabs.tell(draft),
    });
    const tabs = createTabs({
      channel: wire.connect(),
      tab,
      rebaseBody: rebaseText,
      drafts: () => client.drafts,
    });
    const draft = await client.drafts.open(key, service.current(key));
    assert.ok(draft);
    return { ...client, draft, body: () => bodyOf(draft.getSnapshot().draft) };
  };
  return { clock, service, wire, alive, openTab, a: await openTab('a'), b: await openTab('b') };
}

test('the tab that does not type follows, in its editor too, and only the other saves', async () => {
  const { clock, service, wire, a, b } = await setUp();
  const shown: string[] = [];
  b.draft.attachEditor({ applyRemote: (server) => shown.push(server) });
  a.draft.editBody('one!\ntwo\n');
  a.draft.edit('fields.age', 4);
  wire.deliver();
  assert.deepEqual([b.body(), shown], ['one!\ntwo\n', ['one!\ntwo\n']]);
  assert.equal(partOf(b.draft.getSnapshot().draft, 'fields.age'), 4);
  await b.drafts.flush();
  assert.equal(service.current(key).version, 1);
  await clock.advance(1_500);
  wire.deliver();
  assert.equal(service.current(key).version, 2);
  assert.deepEqual(
    [a.draft.getSnapshot().state, b.draft.getSnapshot().state],
    [{ kind: 'saved' }, { kind: 'saved' }],
  );
});

test('who goes on in the other tab goes on from what was typed', async () => {
  const { clock, service, wire, a, b } = await setUp();
  a.draft.editBody('one!\ntwo\n');
  wire.deliver();
  b.draft.editBody('one!!\ntwo\n');
  wire.deliver();
  assert.equal(a.body(), 'one!!\ntwo\n');
  await clock.advance(1_500);
  assert.deepEqual([service.current(key).version, service.current(key).markdown_body], [2, 'one!!\ntwo\n']);
});

test('what is typed in both at once is in both, and once', async () => {
  const { clock, service, wire, a, b } = await setUp();
  a.draft.editBody('one A\ntwo\n');
  b.draft.editBody('one\ntwo B\n');
  a.draft.edit('name', 'M');
  b.draft.edit('fields.age', 5);
  wire.deliver();
  for (const { draft, body } of [a, b]) {
    assert.equal(body(), 'one A\ntwo B\n');
    assert.equal(partOf(draft.getSnapshot().draft, 'name'), 'M');
    assert.equal(partOf(draft.getSnapshot().draft, 'fields.age'), 5);
  }
  a.draft.editBody('one AA\ntwo B\n');
  wire.deliver();
  await clock.advance(1_500);
  wire.deliver();
  assert.equal(service.current(key).markdown_body, 'one AA\ntwo B\n');
  assert.equal(b.draft.getSnapshot().state.kind, 'saved');
});

test('however messages cross, nothing that is typed is lost or doubled', async () => {
  const step = fc.record({ who: fc.nat(2), at: fc.nat(20) });
  const run = async (steps: { who: number; at: number }[]) => {
    const { clock, service, wire, a, b } = await setUp();
    const tabs = [a, b];
    for (const [count, { who, at }] of steps.entries()) {
      const typist = tabs[who];
      if (!typist) wire.deliver();
      else {
        const [text, place] = [typist.body(), at % (typist.body().length + 1)];
        typist.draft.editBody(text.slice(0, place) + String.fromCharCode(0x4e00 + count) + text.slice(place));
      }
    }
    wire.deliver();
    assert.equal(a.body(), b.body());
    for (const [count, { who }] of steps.entries())
      if (tabs[who]) assert.equal(a.body().split(String.fromCharCode(0x4e00 + count)).length, 2);
    await clock.advance(60_000);
    wire.deliver();
    assert.equal(service.current(key).markdown_body, a.body());
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 15, size: 'max' }), run), { numRuns: 100 });
});

test('the draft of a tab that was closed is saved by the one that is left', async () => {
  const { clock, service, wire, alive, a, b } = await setUp();
  a.draft.edit('name', 'M');
  wire.deliver();
  await a.drafts.stop();
  alive.delete('a');
  await b.drafts.flush();
  await clock.settle();
  assert.equal(service.current(key).name, 'M');
  assert.equal(b.draft.getSnapshot().state.kind, 'saved');
});

test('a new entity that one tab has made is not made again by another that lists it', async () => {
  const { clock, service, wire, alive, a, openTab } = await setUp();
  const made = a.drafts.create('p', 'character');
  made.edit('name', 'Wren');
  await clock.settle();
  const late = await openTab('late');
  await late.drafts.start();
  assert.equal(late.drafts.unsaved.getSnapshot().length, 1);
  await made.saveNow();
  wire.deliver();
  assert.deepEqual(late.drafts.unsaved.getSnapshot(), []);
  alive.delete('a');
  await late.drafts.flush();
  assert.deepEqual(late.drafts.unsaved.getSnapshot(), []);
  assert.equal(service.historyOf({ ...key, id: 'wren' }).length, 1);
});

test('a new entity that is open in two tabs gets its id in both', async () => {
  const { clock, wire, a, b } = await setUp();
  const made = a.drafts.create('p', 'character');
  made.edit('name', 'Wren');
  await clock.settle();
  await b.drafts.open(made.getSnapshot().draft.key);
  await made.saveNow();
  wire.deliver();
  assert.deepEqual([a.moved, b.moved], [['wren'], ['wren']]);
});

test('a tab lives as long as it holds its lock, and work under a name waits for its turn', async () => {
  const one = createTabLocks(navigator.locks, 'one');
  const two = createTabLocks(navigator.locks, 'two');
  const order: string[] = [];
  const first = one.run('work', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push('first');
  });
  await Promise.all([first, two.run('work', async () => void order.push('second'))]);
  assert.deepEqual(order, ['first', 'second']);
  assert.deepEqual([await one.isTabAlive('two'), await one.isTabAlive('three')], [true, false]);
  two.leave();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await one.isTabAlive('two'), false);
  one.leave();
});
