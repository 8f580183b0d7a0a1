import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startConformanceServer } from './support/conformance-server.ts';
import { startCore } from './support/core.ts';
import { startKeyedRelay } from './support/keyed-relay.ts';
import { listen } from './support/listen.ts';

const SUITE = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), 'canonry-'));
after(() => rmSync(folder, { recursive: true }));

interface Check {
  status: string;
  name: string;
  errorMessage?: string;
}

/** Checks of the protocol's own conformance suite, by scenario. */
async function checksAgainst(address: string, name: string): Promise<Map<string, Check[]>> {
  const results = join(folder, name);
  const args = [SUITE, 'server', '--url', `${address}/api/mcp`, '--suite', 'all', '-o', results];
  // It ends with 1 if a scenario fails: the saved results tell which.
  await promisify(execFile)(process.execPath, args).catch(() => {});
  const checks = readdirSync(results).map((run): [string, Check[]] => [
    run.replace(/^server-(.+)-\d{4}-\d\d-\d\dT.*$/, '$1'),
    JSON.parse(readFileSync(join(results, run, 'checks.json'), 'utf8')) as Check[],
  ]);
  return new Map(checks);
}

function assertHolds(found: Map<string, Check[]>, scenarios: readonly string[]): void {
  for (const scenario of scenarios) {
    const checks = found.get(scenario);
    assert.ok(checks && checks.length > 0, `${scenario} did not run`);
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    assert.deepEqual(failed, [], scenario);
  }
}

/** Need nothing of the server but the protocol. */
const OF_ANY_SERVER = [
  'server-initialize',
  'ping',
  'completion-complete',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

/** Ask for tools, resources and prompts of the suite's own, which only a fixture has. */
const OF_FIXTURES = [
  'logging-set-level',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];

/**
 * Not for this server. It asks clients nothing during a call, neither for a model's answer nor for a user's: the reply would have to
 * reach the core that waits for it, and any core may get any message. Nor does it end a call's stream to be polled.
 */
const NOT_APPLICABLE = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-sse-polling',
];

test('a core holds every scenario of the conformance suite that needs no fixtures', async (t) => {
  const core = await startCore({ content: 'sample' });
  t.after(core.close);
  const relay = await startKeyedRelay(await listen(core), core.adminToken);
  t.after(relay.close);
  const found = await checksAgainst(relay.address, 'core');
  assertHolds(found, OF_ANY_SERVER);
  const known = [...OF_ANY_SERVER, ...OF_FIXTURES, ...NOT_APPLICABLE];
  assert.deepEqual([...found.keys()].sort(), known.sort(), 'a scenario is not accounted for');
});

test('our transport holds the scenarios that need fixtures', async (t) => {
  const app = await startConformanceServer();
  t.after(() => app.close());
  const relay = await startKeyedRelay(await listen({ app }), 'any');
  t.after(relay.close);
  assertHolds(await checksAgainst(relay.address, 'fixtures'), OF_FIXTURES);
});
