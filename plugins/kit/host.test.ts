import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonry } from './host.ts';

const STUDIO = 'http://studio.example';

interface Sent {
  type: string;
  callId?: number;
}

/** The window that Canonry puts around a plugin's page. */
function enterFrame(sent: Sent[]) {
  const parent = { postMessage: (message: Sent) => void sent.push(message) };
  let hear: (event: object) => void = () => undefined;
  const frame = {
    parent,
    PLUGIN_CONTEXT: { pluginId: 'p', panelId: 'p', hosts: [STUDIO] },
    addEventListener: (_type: string, listener: typeof hear) => {
      hear = listener;
    },
  };
  Object.defineProperty(globalThis, 'window', { value: frame, configurable: true });
  return (data: object) => hear({ source: parent, origin: STUDIO, data });
}

test('calls beyond what Canonry takes wait for their turn, and none is lost', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const sent: Sent[] = [];
  const tell = enterFrame(sent);
  t.after(() => Reflect.deleteProperty(globalThis, 'window'));
  const panel = canonry.panel({ autoHeight: false });
  tell({ type: 'entity-context', entityType: null, entityId: null, data: null, hostOrigin: STUDIO });

  const calls = Array.from({ length: 60 }, () => panel.call('types.list', {}));
  const asked = () => sent.filter(({ type }) => type === 'host-call');
  assert.equal(asked().length, 10, 'no more than ten at once');
  let answered = 0;
  const answerAll = () => {
    for (; answered < asked().length; answered += 1)
      tell({ type: 'host-result', callId: asked()[answered]?.callId, ok: true, result: {} });
  };
  answerAll();
  assert.equal(asked().length, 40, 'no more than forty a second');
  t.mock.timers.tick(1_000);
  answerAll();
  assert.equal(asked().length, 60);
  assert.equal((await Promise.all(calls)).length, 60);
});
