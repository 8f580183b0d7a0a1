import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBrowser } from '../../../test/support/browser-session.ts';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

const HERE = 'http://localhost:8000';

forEachDatabase((_name, open) => {
  describe('a browser session on the own machine', () => {
    let desktop: TestCore;
    before(async () => {
      desktop = await startCore({ open, surface: 'desktop', isNew: true });
    });
    after(() => desktop.close());

    const start = (browser = openBrowser(HERE), headers: Record<string, string> = {}) =>
      browser.ask(desktop.app, 'POST', '/api/desktop/session', { headers });

    test('pages of other sites get none, and make no owner', async () => {
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: 'http://localhost:3000' },
        { host: 'evil.example' },
        { origin: '', 'sec-fetch-site': 'cross-site' },
      ] as Record<string, string>[]) {
        const refused = await start(openBrowser(HERE), headers);
        assert.deepEqual([refused.status, refused.set], [403, []], JSON.stringify(headers));
      }
      const { body } = await openBrowser(HERE).ask(desktop.app, 'GET', '/api/studio/config');
      assert.equal(body.first_run, true);
    });

    test('needs no password: the first makes the owner, also when several begin at once', async () => {
      const replies = await Promise.all(Array.from({ length: 8 }, () => start()));
      for (const { status, body } of replies) assert.equal(status, 201, body.detail);
      const owners = new Set(replies.map(({ body }) => body.user_id));
      assert.equal(owners.size, 1);
      const browser = openBrowser(HERE);
      const { body, set } = await start(browser);
      assert.deepEqual([body.role, body.tenant_role], ['admin', 'owner']);
      assert.equal(set.length, 2);
      const session = await browser.ask(desktop.app, 'GET', '/api/auth/web/session');
      assert.deepEqual(session.body, body);
      const made = await browser.ask(desktop.app, 'POST', '/api/entity/character', {
        body: { entity_id: 'mira', name: 'Mira' },
      });
      assert.equal(made.status, 201, made.body.detail);
    });

    test('is the owner’s where the installation has accounts already', async (t) => {
      const known = await startCore({ open, surface: 'desktop' });
      t.after(() => known.close());
      await known.registerViewer();
      const { body } = await openBrowser(HERE).ask(known.app, 'POST', '/api/desktop/session');
      assert.equal(body.email, 'admin@example.com');
    });

    test('is for a desktop alone', async (t) => {
      const core = await startCore();
      t.after(() => core.close());
      assert.equal((await openBrowser(HERE).ask(core.app, 'POST', '/api/desktop/session')).status, 404);
    });
  });
});
