import hooks from 'node:async_hooks';

/*
 * Loaded before test files. `node:test` tracks every promise to find the test that an uncaught error belongs
 * to, which takes a seventh of all processor time. Tests of a process run one after another, so here the error
 * belongs to the test that began last.
 */
const { createHook, executionAsyncId } = hooks;
let running;
const declared = [];
let isErrorUncaught = false;

/** The number of tests and suites that files have declared so far, without those within them. */
export const declaredTests = () =>
  // Hooks are tests for `node:test`, but have no parent.
  declared.filter(({ parent, root }) => parent !== null && parent === root).length;

hooks.createHook = ({ init }) => {
  const tests = new Set();
  return createHook({
    trackPromises: false,
    init(id, type, trigger, resource) {
      if (type !== 'Test') return;
      declared.push(resource);
      tests.add(id);
      init(id, type, trigger, resource);
    },
    before(id) {
      if (tests.has(id)) running = id;
    },
  });
};
/** `node:test` asks this where a test is declared, and for uncaught errors in listeners that run after those below. */
hooks.executionAsyncId = () => {
  const id = isErrorUncaught ? running : undefined;
  isErrorUncaught = false;
  return id ?? executionAsyncId();
};
process.on('uncaughtExceptionMonitor', () => {
  isErrorUncaught = true;
});
process.on('unhandledRejection', (error) => {
  // A file that is being loaded, or is finished, has no other listener: its error ends it.
  if (process.listenerCount('unhandledRejection') === 1) throw error;
  isErrorUncaught = true;
});
await import('node:test');
Object.assign(hooks, { createHook, executionAsyncId });
