import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/kit/clock.ts';
import type { LedgerCall, LedgerReply } from './support/counted-core.ts';
import { createMapLedger } from './support/credit-ledger.ts';
import { startLlmServer } from './support/llm/server.ts';
import { processEnv } from './support/service-process.ts';
import { until } from './support/until.ts';

const COUNTED_CORE = fileURLToPath(new URL('./support/counted-core.ts', import.meta.url));

test('a core killed before or after settling ties up nothing, and its operation is paid for once', async (t) => {
  const llm = await startLlmServer();
  const folder = mkdtempSync(join(tmpdir(), 'ai-kill-'));
  const ledger = createMapLedger({ clock: systemClock });
  const running: ChildProcess[] = [];
  t.after(async () => {
    for (const child of running) child.kill('SIGKILL');
    await llm.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Dies of the call of the ledger that it is to die of, once the ledger has done it. */
  function startCounted({ diesOf }: { diesOf?: LedgerCall['name'] } = {}) {
    const child = fork(COUNTED_CORE, ['operation-1'], {
      env: { ...processEnv(), TMPDIR: folder, AI_BASE_URL: llm.url },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    running.push(child);
    child.on('message', async ({ id, name, given }: LedgerCall) => {
      const reply = await Reflect.apply(ledger.credits[name], undefined, given);
      if (name === diesOf) child.kill('SIGKILL');
      else if (child.connected) child.send({ id, reply } satisfies LedgerReply);
    });
    return child;
  }
  const isKilled = async (child: ChildProcess) => {
    if (child.signalCode === null) await once(child, 'exit');
    assert.equal(child.signalCode, 'SIGKILL');
  };

  llm.script({ silent: 'at_once' });
  const asking = startCounted();
  await until(() => llm.requests.length === 1);
  assert.equal(await ledger.available(), 95);
  asking.kill('SIGKILL');
  await isKilled(asking);
  await until(() => llm.open() === 0);
  assert.equal(await ledger.available(), 95, 'until the lease ends');
  ledger.passLease();
  assert.equal(await ledger.available(), 100);

  llm.script({ text: 'A smuggler.' });
  await isKilled(startCounted({ diesOf: 'settle' }));
  assert.equal(await ledger.available(), 99);

  const repeated = startCounted();
  assert.ok(repeated.stdout);
  assert.equal(await text(repeated.stdout), 'charged 1\n');
  assert.equal(await ledger.available(), 99);
});
