import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bodyFor, type Change, textOf } from './message.ts';
import { createPoster } from './poster.ts';
import { readSettings } from './settings.ts';

const URL_OF_HOOK = 'https://hooks.example/secret';
const mira: Change = { action: 'created', type: 'character', id: 'mira', name: 'Mira' };
const named = (name: string, more: Partial<Change> = {}): Change => ({ ...mira, name, ...more });

function setUp(given: Record<string, unknown> = {}) {
  const kept = new Map<string, string>();
  const posted: Record<string, unknown>[] = [];
  const warned: string[] = [];
  let now = 1_000_000;
  let answer: () => { status: number; headers: Record<string, string>; body: string } = () => ({
    status: 200,
    headers: {},
    body: 'ok',
  });
  const poster = createPoster({
    settings: () =>
      readSettings({ webhook_url: URL_OF_HOOK, world_name: 'Aurelia', pause_seconds: 60, ...given }),
    kv: { get: (key) => kept.get(key) ?? null, set: (key, value) => void kept.set(key, value) },
    request({ url, body }) {
      assert.equal(url, URL_OF_HOOK);
      posted.push(JSON.parse(body));
      return answer();
    },
    warn: (message) => warned.push(message),
    now: () => now,
  });
  return {
    poster,
    posted,
    warned,
    texts: () => posted.map(({ text }) => text),
    later: (seconds: number) => (now += seconds * 1_000),
    answers: (next: typeof answer) => (answer = next),
    kept,
  };
}

describe('posting', () => {
  test('a change is posted at once, and those within the pause together after it', () => {
    const { poster, texts, later } = setUp();
    poster.tell(mira);
    assert.deepEqual(texts(), ['Aurelia: new: character “Mira”']);
    for (const name of ['Olin', 'Noor']) poster.tell(named(name));
    assert.equal(texts().length, 1);
    later(60);
    poster.tell(named('Lena', { action: 'deleted' }));
    assert.equal(
      texts()[1],
      'Aurelia: 3 changes\n• new: character “Olin”\n• new: character “Noor”\n• deleted: character “Lena”',
    );
    assert.equal(poster.status().waiting, 0);
  });

  test('of many changes some are named', () => {
    const { poster, texts, later, kept } = setUp();
    poster.tell(mira);
    for (let at = 0; at < 300; at += 1) poster.tell(named(`N${at} ${'x'.repeat(1_000)}`));
    assert.ok(Buffer.byteLength(kept.get('waiting') ?? '') < 65_536);
    later(60);
    poster.tell(mira);
    const lines = String(texts()[1]).split('\n');
    assert.equal(lines[0], 'Aurelia: 301 changes');
    assert.equal(lines.at(-1), '… and 293 more');
    assert.equal(lines.length, 10);
  });

  test('only what the settings choose is told', () => {
    const { poster, texts } = setUp({ types: 'Location, quest', post_deleted: false, pause_seconds: 0 });
    poster.tell(mira);
    poster.tell(named('Mill', { type: 'location', action: 'deleted' }));
    poster.tell(named('Mill', { type: 'location' }));
    assert.deepEqual(texts(), ['Aurelia: new: location “Mill”']);
  });

  test('without an address everything waits, and that is said', () => {
    const { poster, posted } = setUp({ webhook_url: null });
    poster.tell(mira);
    assert.deepEqual(posted, []);
    assert.deepEqual(poster.status(), {
      waiting: 1,
      sent_at: null,
      failures: 0,
      error: 'no address of a webhook is set',
    });
    assert.match(poster.test() ?? '', /no address/);
  });
});

describe('failing', () => {
  test('what was not taken goes with the next change, later each time', () => {
    const { poster, texts, warned, later, answers } = setUp({ pause_seconds: 0 });
    answers(() => ({ status: 500, headers: {}, body: 'oh' }));
    poster.tell(mira);
    assert.deepEqual(warned, ['not posted, 1 waiting: the chat answered 500: oh']);
    poster.tell(named('Olin'));
    assert.equal(texts().length, 1, 'not within five seconds');
    later(5);
    poster.tell(named('Noor'));
    later(5);
    poster.tell(named('Lena'));
    assert.equal(texts().length, 2, 'not within ten seconds');
    later(5);
    answers(() => ({ status: 204, headers: {}, body: '' }));
    poster.tell(named('Ida'));
    assert.match(String(texts()[2]), /^Aurelia: 5 changes/);
    assert.equal(poster.status().error, null);
  });

  test('a chat that says when to come again is believed', () => {
    const { poster, texts, later, answers } = setUp({ pause_seconds: 0 });
    answers(() => ({ status: 429, headers: { 'retry-after': '30' }, body: '' }));
    poster.tell(mira);
    later(29);
    poster.tell(mira);
    assert.equal(texts().length, 1);
    later(1);
    poster.tell(mira);
    assert.equal(texts().length, 2);
  });

  test('a refusal of the host is kept, without the address', () => {
    const { poster, warned, answers } = setUp();
    answers(() => {
      throw new Error(`no answer from ${URL_OF_HOOK}`);
    });
    poster.tell(mira);
    assert.deepEqual(warned, ['not posted, 1 waiting: no answer from (the address)']);
    assert.equal(poster.flush().failures, 2);
  });

  test('what is kept and cannot be read counts as nothing', () => {
    const { poster, kept, texts } = setUp();
    kept.set('waiting', '{');
    poster.tell(mira);
    assert.equal(texts().length, 1);
  });
});

describe('messages', () => {
  const batch = (name: string) => ({ changes: [named(name)], more: 0 });

  test('have the form of their chat', () => {
    const of = (kind: string) => bodyFor('hi', readSettings({ kind, world_name: 'Aurelia' }), batch('Mira'));
    assert.deepEqual(of('slack'), { text: 'hi' });
    assert.deepEqual(of('matrix'), { text: 'hi' });
    assert.deepEqual(of('discord'), { content: 'hi', allowed_mentions: { parse: [] } });
    assert.deepEqual(of('json'), { text: 'hi', world: 'Aurelia', changes: [mira], more: 0 });
  });

  test('names do nothing in a chat', () => {
    const of = (kind: string, name: string) => textOf(batch(name), readSettings({ kind }));
    assert.equal(of('slack', '<!channel> & *b*'), 'new: character “&lt;!channel&gt; &amp; \u200b*b\u200b*”');
    assert.equal(of('discord', '@everyone [a](b)'), 'new: character “\\@everyone \\[a\\]\\(b\\)”');
    assert.equal(of('json', 'a\n b'), 'new: character “a b”');
  });

  test('are German where that is chosen', () => {
    const settings = readSettings({ language: 'de' });
    assert.equal(
      textOf({ changes: [named('Lena', { action: 'deleted' })], more: 0 }, settings),
      'gelöscht: character „Lena“',
    );
    assert.match(
      textOf({ changes: [mira, mira], more: 1 }, settings),
      /^3 Änderungen\n[\s\S]*… und 1 weitere$/,
    );
  });
});
