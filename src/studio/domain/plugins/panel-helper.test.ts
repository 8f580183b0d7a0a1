import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CallError, type Calls, canonry } from '../../../../starter/plugin/canonry/panel.ts';
import { until } from '../../../../test/support/until.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { frameHostOptions } from '../../testing/frame-host-options.ts';
import { createFrameHost, type FrameHost, type FrameHostOptions } from './frame-host.ts';
import type { HostCallName } from './host-calls.ts';
import type { HostMessage, WidgetState } from './host-messages.ts';

const STUDIO = 'http://127.0.0.1:8000';
const HOSTS = [STUDIO, 'http://localhost:8000'];
const ENTITY = { entityType: 'character', entityId: 'mira', data: { name: 'Mira' } };

interface Posted {
  message: { type: string };
  to: string;
}

/** The helper that new plugins have, in a page that a real host of the Studio shows. */
function setUp(t: TestContext, granted: string[] = [], more: Partial<FrameHostOptions> = {}) {
  const clock = createFakeClock();
  const posted: Posted[] = [];
  const heard: unknown[][] = [];
  const listeners: ((event: object) => void)[] = [];
  let host: FrameHost | null = null;
  const parent = {
    postMessage(message: { type: string }, to: string) {
      posted.push({ message, to });
      if (to === STUDIO) host?.receive({ data: structuredClone(message) });
    },
  };
  const say = (data: unknown, { origin = STUDIO, source = parent as object } = {}) => {
    for (const listen of listeners) listen({ data: structuredClone(data), origin, source });
  };
  const page = {
    parent,
    PLUGIN_CONTEXT: { pluginId: 'a', panelId: 'b', hosts: HOSTS },
    addEventListener: (_: string, listen: (event: object) => void) => listeners.push(listen),
  };
  Object.assign(globalThis, { window: page });
  t.after(() => void Reflect.deleteProperty(globalThis, 'window'));

  /** From now on there is a host. */
  function show(): FrameHost {
    host = createFrameHost({
      ...frameHostOptions(heard),
      granted: new Set(granted),
      hostOrigin: STUDIO,
      now: clock.now,
      after: clock.after,
      send: (message: HostMessage) => say(message),
      entity: () => ENTITY,
      onState: () => {},
      run: async (call) => ({ ok: true, result: call }),
      ...more,
    });
    return host;
  }
  return { show, say, posted, heard, page };
}

const FIXED = { autoHeight: false };

test('a panel hears of its entity once, and of each change', (t) => {
  const { show } = setUp(t, ['entities:read']);
  const host = show();
  const contexts: unknown[] = [];
  canonry.panel({ ...FIXED, onContext: (context) => contexts.push(context) });
  host.loaded();
  assert.deepEqual(contexts, [{ ...ENTITY, theme: 'light', language: 'en' }]);
  ENTITY.data.name = 'Mira Vale';
  t.after(() => {
    ENTITY.data.name = 'Mira';
  });
  host.entityChanged();
  assert.deepEqual(contexts.slice(1), [{ ...ENTITY, theme: 'light', language: 'en' }]);
});

test('a panel hears what guests emit, whether of its own plugin or of another', (t) => {
  const { show } = setUp(t);
  const host = show();
  const heard: unknown[] = [];
  canonry.panel({
    ...FIXED,
    onEvent: ({ pluginId, name, payload }) => heard.push([pluginId, name, payload]),
  });
  host.loaded();
  host.pluginEmitted({ pluginId: 'bells', name: 'rang', payload: { bell: 1 } });
  assert.deepEqual(heard, [['bells', 'rang', { bell: 1 }]]);
});

test('a panel that listens to changes by themselves hears each in one place', (t) => {
  const { say } = setUp(t);
  const heard: unknown[] = [];
  canonry.panel({
    ...FIXED,
    onContext: ({ entityId }) => heard.push(['context', entityId]),
    onUpdated: ({ data, theme }) => heard.push(['updated', data?.name, theme]),
    onTheme: (theme) => heard.push(['theme', theme]),
  });
  say({ type: 'entity-context', ...ENTITY, theme: 'dark', hostOrigin: STUDIO });
  say({ type: 'entity-updated', ...ENTITY, data: { name: 'Oda' } });
  say({ type: 'theme-change', theme: 'light' });
  assert.deepEqual(heard, [
    ['context', 'mira'],
    ['updated', 'Oda', 'dark'],
    ['theme', 'light'],
  ]);
});

test('nobody but the window above is heard, and of that only Canonry', (t) => {
  const { say } = setUp(t);
  const contexts: unknown[] = [];
  canonry.panel({ ...FIXED, onContext: ({ entityId }) => contexts.push(entityId) });
  const context = (entityId: string, hostOrigin = STUDIO) => ({
    type: 'entity-context',
    ...ENTITY,
    entityId,
    theme: 'light',
    hostOrigin,
  });
  say(context('another window'), { source: {} });
  say(context('another site', 'http://evil.example'), { origin: 'http://evil.example' });
  say(context('one that says it is another', 'http://evil.example'));
  say({ type: 'entity-updated', ...ENTITY, entityId: 'before it is known who speaks' });
  say(null);
  say('entity-context');
  assert.deepEqual(contexts, []);
  say(context('mira'));
  say(context('another of the hosts', HOSTS[1]), { origin: HOSTS[1] ?? '' });
  assert.deepEqual(contexts, ['mira']);
});

test('until it is known who shows the page, nothing leaves it but a greeting', async (t) => {
  const { show, posted } = setUp(t, ['entities:read']);
  const panel = canonry.panel(FIXED);
  const answer = panel.call('entities.get', { entity_type: 'character', entity_id: 'mira' });
  panel.toast('Hello');
  assert.deepEqual(
    posted.map(({ message, to }) => [message.type, to]),
    HOSTS.map((to) => ['panel-ready', to]),
  );
  show().loaded();
  await answer;
  assert.deepEqual(
    posted.slice(2).map(({ message, to }) => [message.type, to]),
    [
      ['host-call', STUDIO],
      ['toast', STUDIO],
    ],
  );
});

test('calls are answered, each by its own answer, or refused with a reason', async (t) => {
  const { show } = setUp(t, ['entities:read']);
  show();
  const panel = canonry.panel(FIXED);
  const [first, second]: unknown[] = await Promise.all([
    panel.call('entities.list', { entity_type: 'character', limit: 3 }),
    panel.call('data.create', { record_type: 'counts', data: { words: 1 } }),
  ]);
  assert.deepEqual(first, { call: 'entities.list', args: { entity_type: 'character', limit: 3 } });
  assert.deepEqual(second, { call: 'data.create', args: { record_type: 'counts', data: { words: 1 } } });
  const address = { entity_type: 'character', entity_id: 'mira' };
  await assert.rejects(panel.call('entities.update', { ...address, fields: {} }), (error) => {
    assert.ok(error instanceof CallError);
    assert.equal(error.status, 403);
    assert.match(error.message, /'entities\.update' needs the permission 'entities:write'/);
    return true;
  });
});

const CALLS = {
  'entities.get': true,
  'entities.list': true,
  'entities.search': true,
  'entities.update': true,
  'entities.graph': true,
  'types.list': true,
  'types.schema': true,
  'data.list': true,
  'data.get': true,
  'data.create': true,
  'data.put': true,
  'data.delete': true,
  'settings.get': true,
  'settings.set_user': true,
  'files.offer': true,
  custom: true,
} satisfies Record<HostCallName, true> satisfies Record<keyof Calls, true>;

test('the helper and the host have the same calls', async (t) => {
  const { show } = setUp(t, ['entities:read', 'entities:write']);
  show();
  const panel = canonry.panel(FIXED);
  const args = {
    entity_type: 'a',
    entity_id: 'b',
    record_type: 'c',
    record_id: 'd',
    query: 'e',
    method: 'GET',
    path: 'f',
    name: 'g',
    content: new Blob(['h']),
  };
  for (const name of Object.keys(CALLS) as (keyof Calls)[]) {
    const answer: unknown = await panel.call(name, { ...args, fields: {}, data: {}, values: {} });
    assert.equal((answer as { call: string }).call, name);
  }
});

test('a call that nobody answers ends with an error', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  setUp(t);
  const answer = canonry.panel(FIXED).call('types.list', {});
  t.mock.timers.tick(30_000);
  await assert.rejects(answer, { name: 'CallError', status: 504, message: 'Canonry gave no answer' });
});

test('what a panel says is what the host understands', (t) => {
  const { show, heard } = setUp(t, ['entities:write']);
  show();
  const panel = canonry.panel(FIXED);
  panel.modify({ age: 40 });
  panel.toast('Saved', 'success');
  panel.toast('Well');
  panel.navigate({ entityType: 'location', entityId: 'mill' });
  panel.resize(120);
  assert.deepEqual(heard, [
    ['modify', { age: 40 }, null],
    ['toast', 'success', 'Saved'],
    ['toast', 'info', 'Well'],
    ['go', '/w/saltmere/location/mill'],
    ['resize', 120],
  ]);
});

test('a widget shows the value of its field, and changes it', (t) => {
  const state: WidgetState = { value: 3, disabled: false, options: { max: 5 } };
  const { show, heard } = setUp(t, [], { widget: () => state });
  const host = show();
  const states: unknown[] = [];
  const widget = canonry.widget({
    ...FIXED,
    onUpdate: ({ value, disabled, options }) => states.push([value, disabled, options]),
  });
  assert.deepEqual(states, [[3, false, { max: 5 }]]);
  widget.change(4);
  state.value = 4;
  host.widgetChanged();
  assert.deepEqual(heard, [['change', 4]]);
  assert.equal(states.length, 1);
});

test('a widget is told a state once, and again when its field goes back to it', (t) => {
  let value = 3;
  const { show, say } = setUp(t, [], { widget: () => ({ value, disabled: false, options: {} }) });
  const host = show();
  const values: unknown[] = [];
  const widget = canonry.widget({
    ...FIXED,
    onUpdate(state) {
      values.push(state.value);
      if (state.value === 9) widget.change(5);
    },
  });
  host.loaded();
  assert.deepEqual(values, [3]);
  // The user types while the host tells the state once more.
  widget.change(4);
  say({ type: 'host-field-widget-update', value: 3, disabled: false, options: {}, repeated: true });
  assert.deepEqual(values, [3]);
  host.widgetChanged();
  assert.deepEqual(values, [3, 3], 'its own value did not last');
  // It corrects the field at once, and the field does not take it.
  value = 9;
  host.widgetChanged();
  host.widgetChanged();
  assert.deepEqual(values, [3, 3, 9, 9]);
});

test('the frame follows the height of the page', async (t) => {
  const { show, heard } = setUp(t);
  show();
  let height = 60.4;
  const looks: (() => void)[] = [];
  class FakeObserver {
    constructor(look: () => void) {
      looks.push(look);
    }
    observe() {}
  }
  const document = { documentElement: { getBoundingClientRect: () => ({ height }) } };
  Object.assign(globalThis, { document, ResizeObserver: FakeObserver });
  t.after(() => ['document', 'ResizeObserver'].map((name) => Reflect.deleteProperty(globalThis, name)));
  canonry.panel();
  const look = () => looks.forEach((each) => void each());
  look();
  look();
  height = 80;
  look();
  await until(() => heard.length === 2);
  assert.deepEqual(heard, [
    ['resize', 61],
    ['resize', 80],
  ]);
});

test('a page that is opened by itself says nothing to itself', (t) => {
  const { page, posted } = setUp(t);
  const postMessage = (message: { type: string }, to: string) => posted.push({ message, to });
  Object.assign(page, { parent: page, postMessage });
  canonry.panel(FIXED);
  assert.deepEqual(posted, []);
});
