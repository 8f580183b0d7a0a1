import hooks from 'node:async_hooks';

/*
 * Loaded before a test file. `node:test` follows every promise to know to which test an uncaught error belongs, which
 * takes a seventh of all processor time. Tests of a file run one after the other: here the error belongs to the one that began last.
 */
const { createHook, executionAsyncId } = hooks;
let running;
let isErrorUncaught = false;

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
/** Asked where a test is declared, and by the listeners of `node:test` for uncaught errors, which come after those below. */
hooks.executionAsyncId = () => {
  const id = isErrorUncaught ? running : undefined;
  isErrorUncaught = false;
  return id ?? executionAsyncId();
};
process.on('uncaughtExceptionMonitor', () => {
  isErrorUncaught = true;
});
process.on('unhandledRejection', (error) => {
  // A file that is being loaded, or is through, has no other listener: it ends by its error.
  if (process.listenerCount('unhandledRejection') === 1) throw error;
  isErrorUncaught = true;
});
await import('node:test');
Object.assign(hooks, { createHook, executionAsyncId });
