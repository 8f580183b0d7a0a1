/**
 * Uses the service as a newcomer would: start, first account, a look at the sample world, search, stop; then makes sure
 * that nothing is left behind, however it was ended. Takes no argument, needs no terminal.
 */
import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { mkdtempSync, rmSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { startService } = await import('./lib/service-process.mjs');
const { useService } = await import('./lib/service-journey.mjs');

const dataDir = mkdtempSync(join(tmpdir(), 'canonry-smoke-'));
try {
  const service = await startService(dataDir);
  console.log(`ok   listening on ${service.url}, ready after ${service.readyMs} ms`);
  for (const line of await service.during(() => useService(service.url))) console.log(`ok   ${line}`);
  await service.end({ pid: service.pid(), signal: 'SIGTERM', exitCode: 0 });
  console.log('ok   SIGTERM to the service: exit code 0, nothing left running');
  const again = await startService(dataDir);
  await again.end({ pid: again.npmPid, signal: 'SIGKILL', exitCode: null });
  console.log('ok   SIGKILL to npm: nothing left running');
} catch (error) {
  console.log(`FAIL ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
