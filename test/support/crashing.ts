/** Preloaded into a service: it crashes when it is told to. */
process.on('SIGUSR2', () => {
  throw new Error('crashed by a test');
});
