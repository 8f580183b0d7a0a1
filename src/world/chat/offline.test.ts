import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import type { ChatAnswer, ChatPreview } from './chat.contract.ts';

const FILE = 'Characters/orla/CH_orla.md';
const file = (body: string) => `---\nid: orla\nname: Orla Fenn\nage: 61\n---\n\n${body}\n`;

async function ask(core: TestCore, body: object, token?: string): Promise<ChatAnswer> {
  const reply = await core.call<ChatAnswer>('POST', '/api/ai/chat', {
    body,
    ...(token !== undefined && { token }),
  });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

/** The words of each quote are on the lines that it names. */
function assertLines({ citations }: ChatAnswer, contentDir: string, path: string): void {
  const lines = readFileSync(join(contentDir, path), 'utf8').split('\n');
  assert.ok(citations.length > 0);
  for (const { quote, line, end_line, verified } of citations) {
    const there = lines.slice(line - 1, end_line).join(' ');
    assert.equal(verified, true);
    assert.ok(there.includes(quote ?? '?'), `${quote} is not in lines ${line} to ${end_line}: ${there}`);
  }
}

forEachDatabase((_name, open) => {
  test('without a provider the project itself answers, with the lines of its files', async (t) => {
    const core = await startCore({ open });
    t.after(() => core.close());
    saveFile(join(core.contentDir, FILE), file('She rings the drowned bell.\n\nHer sister is the ferryman.'));
    await core.call('POST', '/api/sync/refresh-all');
    const answer = await ask(core, { message: 'Who rings the drowned bell?' });
    assert.deepEqual([answer.offline, answer.finish, answer.credits], [true, 'search', 0]);
    assert.equal(answer.reason?.code, 'ai_not_configured');
    assertLines(answer, core.contentDir, FILE);
    assert.ok(answer.message.content.includes('> She rings the drowned bell. [character/orla:7]'));

    saveFile(
      join(core.contentDir, FILE),
      file('A new first line.\n\nAnother.\n\nShe rings the drowned bell.'),
    );
    await core.call('POST', '/api/sync/refresh-all');
    const again = await ask(core, { message: 'Who rings the drowned bell?' });
    assertLines(again, core.contentDir, FILE);
    assert.equal(again.citations[0]?.line, 11);

    const viewer = await core.registerViewer();
    assert.equal((await ask(core, { message: 'Orla?' }, viewer)).entities[0]?.entity_id, 'orla');
    const preview = await core.call<ChatPreview>('POST', '/api/ai/chat', {
      body: { message: 'Orla?', dry_run: true },
    });
    assert.deepEqual(
      [preview.body.dry_run, preview.body.offline, preview.body.messages, preview.body.tokens],
      [true, true, [], 0],
    );

    const events = await core.call('POST', '/api/ai/chat', {
      body: { message: 'Orla?' },
      headers: { accept: 'text/event-stream' },
    });
    assert.match(String(events.headers['content-type']), /^text\/event-stream/);
    assert.match(
      events.text,
      /^event: delta\ndata: \{"text":"This is what[\s\S]*\nevent: answer\ndata: \{"offline":true/,
    );
    assert.equal((await core.call('POST', '/api/ai/chat', { body: { message: ' ' } })).status, 422);
    assert.equal(
      (await core.call('POST', '/api/ai/chat', { body: { message: 'x' }, token: null })).status,
      401,
    );
  });
});
