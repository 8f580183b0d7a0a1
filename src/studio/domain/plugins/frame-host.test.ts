import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { frameHostOptions } from '../../testing/frame-host-options.ts';
import { createFrameHost, type FrameHostOptions } from './frame-host.ts';
import type { CallResult, HostMessage, ShownTheme, WidgetState } from './host-messages.ts';

const ENTITY = { entityType: 'character', entityId: 'mira', data: { name: 'Mira' } };

function setUp(granted: string[] = [], more: Partial<FrameHostOptions> = {}) {
  const clock = createFakeClock();
  const sent: HostMessage[] = [];
  const heard: unknown[][] = [];
  let theme: ShownTheme = 'light';
  let widget: WidgetState | null = null;
  const host = createFrameHost({
    ...frameHostOptions(heard),
    granted: new Set(granted),
    hostOrigin: 'http://studio',
    now: clock.now,
    after: clock.after,
    send: (message) => void sent.push(structuredClone(message)),
    entity: () => ENTITY,
    theme: () => theme,
    language: () => 'de',
    variables: () => ({ '--surface-base-bg': theme }),
    widget: () => widget,
    run: async () => ({ ok: true, result: [] }),
    ...more,
  });
  const take = () => sent.splice(0);
  return {
    clock,
    host: { ...host, receive: (data: unknown) => host.receive({ data }) },
    /** Posts a message that takes so long to decode, and says whether it was read. */
    postSlow(ms: number, message: unknown): boolean {
      let isRead = false;
      host.receive({
        get data() {
          isRead = true;
          clock.pass(ms);
          return message;
        },
      });
      return isRead;
    },
    heard,
    /** The messages since the last look. */
    take,
    kinds: () => take().map(({ type }) => type),
    setTheme: (next: ShownTheme) => {
      theme = next;
      host.themeChanged();
    },
    setWidget: (next: WidgetState) => {
      widget = next;
      host.widgetChanged();
    },
  };
}

test('a page that is there is told about its entity and the theme', () => {
  const { host, take, kinds } = setUp(['entities:read']);
  host.loaded();
  assert.deepEqual(take(), [
    { type: 'entity-context', ...ENTITY, theme: 'light', language: 'de', hostOrigin: 'http://studio' },
    { type: 'host-theme-response', variables: { '--surface-base-bg': 'light' } },
  ]);
  host.receive({ type: 'panel-ready' });
  assert.deepEqual(kinds(), ['entity-context', 'host-theme-response']);
  host.receive({ type: 'request-entity-data' });
  assert.deepEqual(kinds(), ['entity-context']);
  host.receive({ type: 'host-theme-request' });
  assert.deepEqual(kinds(), ['host-theme-response']);
  host.entityChanged();
  assert.deepEqual(take(), [{ type: 'entity-updated', ...ENTITY }]);
});

test('without the permission to read, a page learns only where it is', () => {
  const { host, take } = setUp();
  host.loaded();
  host.entityChanged();
  for (const message of take()) if ('data' in message) assert.equal(message.data, null);
});

test('nothing is sent to a page that is not there yet; a theme is told as it changes', () => {
  const { host, take, setTheme, setWidget } = setUp();
  host.entityChanged();
  setTheme('dark');
  setWidget({ value: 1, disabled: false, options: {} });
  assert.deepEqual(take(), []);
  host.receive({ type: 'panel-ready' });
  take();
  setTheme('light');
  assert.deepEqual(take(), [
    { type: 'theme-change', theme: 'light' },
    { type: 'host-theme-response', variables: { '--surface-base-bg': 'light' } },
  ]);
});

test('a page that says nothing for five seconds does not answer, until it says something', async () => {
  const { clock, host, heard } = setUp();
  await clock.advance(4_900);
  host.loaded();
  await clock.advance(4_900);
  assert.deepEqual(heard, []);
  await clock.advance(200);
  assert.deepEqual(heard, [['state', 'silent']]);
  host.receive('noise');
  assert.equal(heard.length, 1);
  host.receive({ type: 'panel-ready' });
  assert.deepEqual(heard.at(-1), ['state', 'shown']);
  await clock.advance(60_000);
  assert.deepEqual(heard.at(-1), ['state', 'shown'], 'a quiet page is fine');
});

test('a page that floods is stopped, and nothing is heard or said any more', async () => {
  const { clock, host, heard, take } = setUp();
  for (let second = 0; second < 11; second += 1) {
    for (let message = 0; message < 51; message += 1) host.receive({ type: 'resize', height: 50 });
    await clock.advance(1_000);
  }
  assert.deepEqual(heard.at(-1), ['state', 'stopped']);
  const count = heard.length;
  host.receive({ type: 'resize', height: 50 });
  host.loaded();
  host.themeChanged();
  host.entityChanged();
  host.widgetChanged();
  assert.equal(heard.length, count);
  assert.deepEqual(take(), []);
});

test('a change comes with the entity as the page was told it last', () => {
  let name = 'Mira';
  const entity = () => ({ ...ENTITY, data: { name } });
  const { host, heard } = setUp(['entities:read', 'entities:write'], { entity });
  const modify = () => host.receive({ type: 'entity-modified', fields: { want: 'a bell' } });
  host.loaded();
  name = 'Mira Vale';
  modify();
  host.entityChanged();
  modify();
  assert.deepEqual(
    heard.filter(([what]) => what === 'modify').map(([, , told]) => told),
    [{ name: 'Mira' }, { name: 'Mira Vale' }],
  );
});

test('what is dropped is not even read, and neither is anything after a stop', async () => {
  const { clock, postSlow } = setUp();
  const resize = { type: 'resize', height: 50 };
  const reads = () => Array.from({ length: 60 }, () => postSlow(0, resize)).filter(Boolean).length;
  for (let second = 0; second < 10; second += 1) {
    assert.equal(reads(), 50);
    await clock.advance(1_000);
  }
  assert.equal(reads(), 0);
});

test('a page whose few messages keep the Studio busy is stopped', async () => {
  const { clock, heard, postSlow } = setUp();
  for (let second = 0; second < 11; second += 1) {
    for (let message = 0; message < 8; message += 1) postSlow(100, { type: 'resize', height: 50 });
    await clock.advance(200);
  }
  assert.deepEqual(heard.at(-1), ['state', 'stopped']);
});

test('a page that sends what is too large second after second is stopped', async () => {
  const { clock, host, heard } = setUp();
  host.receive({ type: 'panel-ready' });
  const large = { type: 'host-field-widget-change', value: 'x'.repeat(300_000) };
  for (let second = 0; second < 10; second += 1) {
    host.receive(large);
    await clock.advance(1_000);
  }
  assert.deepEqual(heard, [['state', 'shown']]);
  host.receive(large);
  assert.deepEqual(heard.at(-1), ['state', 'stopped']);
});

test('an entity is changed only with the permission to, and its lack is told once', () => {
  const message = { type: 'entity-modified', fields: { want: 'a bell' } };
  const reader = setUp(['entities:read']);
  reader.host.receive(message);
  reader.host.receive(message);
  assert.deepEqual(reader.heard.slice(1), [['refused', 'plugin']]);
  const viewer = setUp(['entities:write'], { mayEdit: false });
  viewer.host.receive(message);
  assert.deepEqual(viewer.heard, [
    ['state', 'shown'],
    ['refused', 'user'],
  ]);
  const writer = setUp(['entities:write']);
  writer.host.receive(message);
  writer.host.receive({ ...message, entityId: 'other' });
  assert.deepEqual(writer.heard.slice(1), [['modify', { want: 'a bell' }, null]]);
});

test('toasts and steps to other pages have a pace; other addresses are no goal', async () => {
  const { clock, host, heard } = setUp();
  for (let time = 0; time < 20; time += 1) {
    host.receive({ type: 'toast', message: 'again' });
    host.receive({ type: 'navigate', path: '/w/saltmere/-/findings' });
  }
  const count = (what: string) => heard.filter(([heardOf]) => heardOf === what).length;
  assert.deepEqual([count('toast'), count('go')], [5, 3]);
  await clock.advance(10_000);
  host.receive({ type: 'toast', message: 'again' });
  host.receive({ type: 'navigate', path: 'https://example.com' });
  host.receive({ type: 'navigate', entityType: 'item', entityId: 'bell' });
  assert.deepEqual([count('toast'), count('go')], [6, 4]);
  assert.deepEqual(heard.at(-1), ['go', '/w/saltmere/item/bell']);
});

test('a widget is told the value of its field, and not what it said itself', () => {
  const { host, heard, take, setWidget } = setUp();
  host.loaded();
  take();
  setWidget({ value: 1, disabled: false, options: {} });
  assert.deepEqual(take(), [{ type: 'host-field-widget-update', value: 1, disabled: false, options: {} }]);
  host.receive({ type: 'host-field-widget-change', value: 2 });
  assert.deepEqual(heard.at(-1), ['change', 2]);
  setWidget({ value: 2, disabled: false, options: {} });
  assert.deepEqual(take(), []);
  setWidget({ value: 2, disabled: true, options: {} });
  assert.deepEqual(take(), [{ type: 'host-field-widget-update', value: 2, disabled: true, options: {} }]);
  const before = heard.length;
  host.receive({ type: 'host-field-widget-change', value: 3 });
  assert.equal(heard.length, before, 'a field that must not be changed stays');
});

test('a widget hears what it was told before as a repetition, with its own value', () => {
  const { host, take, setWidget } = setUp();
  setWidget({ value: 1, disabled: false, options: {} });
  const told = () => take().flatMap((each) => (each.type === 'host-field-widget-update' ? [each] : []));
  const update = { type: 'host-field-widget-update', disabled: false, options: {} };
  host.receive({ type: 'panel-ready' });
  assert.deepEqual(told(), [{ ...update, value: 1 }]);
  host.receive({ type: 'host-field-widget-change', value: 2 });
  host.loaded();
  assert.deepEqual(told(), [{ ...update, value: 2, repeated: true }]);
});

test('a value that was not taken is told again', () => {
  const { host, take, setWidget } = setUp();
  host.loaded();
  setWidget({ value: 1, disabled: false, options: {} });
  take();
  host.receive({ type: 'host-field-widget-change', value: 'wrong' });
  host.widgetChanged();
  assert.deepEqual(take(), [{ type: 'host-field-widget-update', value: 1, disabled: false, options: {} }]);
});

test('events of guests are told to a page that is there, at a pace', async () => {
  const { clock, host, take } = setUp();
  const event = { pluginId: 'bells', name: 'rang', payload: { bell: 1 } };
  host.pluginEmitted(event);
  assert.deepEqual(take(), [], 'nothing has loaded yet');
  host.loaded();
  take();
  host.pluginEmitted(event);
  assert.deepEqual(take(), [{ type: 'plugin-event', ...event }]);
  for (let time = 0; time < 100; time += 1) host.pluginEmitted(event);
  assert.equal(take().length, 49);
  await clock.advance(1_000);
  host.pluginEmitted(event);
  assert.equal(take().length, 1);
  host.stop();
  host.pluginEmitted(event);
  assert.deepEqual(take(), []);
});

test('calls are answered by their ids, and refused where there are too many at once', async () => {
  const { promise, resolve } = Promise.withResolvers<CallResult>();
  const { host, take, clock } = setUp([], { run: () => promise });
  host.receive({ type: 'host-call', callId: 'a', call: 'entities.get', args: ENTITY });
  const [refused] = take();
  assert.ok(refused?.type === 'host-result' && !refused.ok);
  assert.equal(refused.status, 403);
  for (let id = 0; id < 21; id += 1) host.receive({ type: 'host-call', callId: id, call: 'types.list' });
  const [tooMany] = take();
  assert.ok(tooMany?.type === 'host-result' && !tooMany.ok);
  assert.deepEqual([tooMany.callId, tooMany.status], [20, 429]);
  resolve({ ok: true, result: ['character'] });
  await clock.settle();
  assert.deepEqual(take()[0], { type: 'host-result', callId: 0, ok: true, result: ['character'] });
  host.receive({ type: 'host-call', callId: 21, call: 'types.list' });
  await clock.settle();
  assert.equal(take().length, 1);
});
