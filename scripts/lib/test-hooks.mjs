import hooks from 'node:async_hooks';

/*
 * Loaded before a test file. `node:test` follows every promise to know to which test an uncaught error belongs, which
 * takes a seventh of all processor time. Tests of a file run one after the other: here the error belongs to the one that began last.
 */
const { createHook, executionAsyncId } = hooks;
let running;

hooks.createHook = ({ init }) => {
  const tests = new Set();
  return createHook({
    trackPromises: false,
    init(id, type, ...rest) {
      if (type !== 'Test') return;
      tests.add(id);
      init(id, type, ...rest);
    },
    before(id) {
      if (tests.has(id)) running = id;
    },
  });
};
hooks.executionAsyncId = () => running ?? executionAsyncId();
await import('node:test');
Object.assign(hooks, { createHook, executionAsyncId });
