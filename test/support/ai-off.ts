import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { watchConnections } from './connections.ts';
import { type CoreSetup, startCore, type TestCore } from './core.ts';
import { POSTGRES_URL } from './databases.ts';
import { startLlmServer } from './llm/server.ts';

/**
 * A core with `AI=off`, whose environment names a provider all the same. `assertAskedNobody` fails if the provider was asked, or if this
 * process has connected to anything but databases.
 */
export async function startAiOffCore(
  t: TestContext,
  setup: Pick<CoreSetup, 'open' | 'content'> = {},
): Promise<{ core: TestCore; assertAskedNobody(): void }> {
  const llm = await startLlmServer({ text: 'I must never be asked.' });
  const env = { AI: 'off', AI_BASE_URL: llm.url, AI_MODEL: 'scripted-1' };
  const core = await startCore({ ...setup, env });
  const watch = watchConnections();
  t.after(async () => {
    watch.stop();
    await Promise.all([core.close(), llm.close()]);
  });
  await once(new WebSocket(`ws://127.0.0.1:${new URL(llm.url).port}`), 'error');
  assert.equal(watch.made.length, 1, 'the watch sees connections');
  watch.made.length = 0;
  llm.requests.length = 0;
  // The databases of other tests in this process come and go there.
  const ofDatabases = new URL(POSTGRES_URL).host;
  return {
    core,
    assertAskedNobody() {
      const elsewhere = watch.made.filter((address) => address !== ofDatabases);
      assert.deepEqual(elsewhere, []);
      assert.equal(llm.requests.length, 0);
    },
  };
}
