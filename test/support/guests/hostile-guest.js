// Does what the path of a request says.
import kv from 'canonry:plugin/kv@1.0.0';
import log from 'canonry:plugin/log@1.0.0';

let calls = 0;
const kept = [];

const deeds = {
  '/count': () => String(calls),
  '/loop'() {
    for (;;);
  },
  '/grow'() {
    for (;;) kept.push('x'.repeat(1_000_000) + kept.length);
  },
  '/grow-and-hide'() {
    try {
      for (;;) kept.push('x'.repeat(1_000_000) + kept.length);
    } catch {
      return 'nothing happened';
    }
  },
  '/recurse': () => deeds['/recurse']() + 1,
  '/flood'() {
    for (let line = 0; line < 1_000; line += 1) log.log('info', `line ${line}`);
    return 'flooded';
  },
  '/flood-and-ask'() {
    deeds['/flood']();
    return kv.get('key');
  },
  '/long-lines'() {
    for (let line = 0; line < 100; line += 1) log.log('info', 'x'.repeat(10_000));
    return 'long';
  },
  '/throw'() {
    throw new Error('thrown by the guest');
  },
  '/long': () => 'x'.repeat(2_000_000),
  '/long-value'() {
    kv.set('key', 'x'.repeat(2_000_000));
    return 'set';
  },
  '/ask-forever'() {
    for (;;) {
      try {
        kv.get('key');
      } catch {
        // Goes on, although the host said no.
      }
    }
  },
  '/ask'() {
    return kv.get('key');
  },
  '/garbage': () => ({ toString: 1 }),
};

export const metadata = {
  getInfo: () => ({ name: 'Hostile', version: '1.0.0', description: '' }),
};

export const routes = {
  handleRequest({ path }) {
    calls += 1;
    if (path === '/no-response') return 'text';
    return { status: 200, headers: [], body: deeds[path]() };
  },
};
