import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startAccounts } from '../../../test/support/accounts.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { type People, type Person, startPeople, uploadAvatar } from '../../../test/support/people.ts';
import { halves } from '../../platform/images/images.conformance.ts';

interface Listed {
  total: number;
  items: { id: string; display_name: string; avatar: string | null }[];
}

forEachDatabase((_name, open) => {
  let people: People;
  before(async () => {
    people = await startPeople({ open });
  });
  after(() => people.close());

  const list = async (as: Person, query = '') =>
    (await people.call<Listed>('GET', `/api/people${query}`, { token: as.token })).body;

  async function upload(as: Person): Promise<void> {
    const reply = await uploadAvatar(people, as, { bytes: await halves(50, 50).png().toBuffer() });
    assert.equal(reply.statusCode, 200, reply.body);
  }

  test('every member sees who the others are, and nothing else of them', async () => {
    const stranger = await people.person('viewer', 'elsewhere');
    const { total, items } = await list(people.cast.viewer);
    assert.equal(total, items.length);
    const editor = items.find(({ id }) => id === people.cast.editor.id);
    assert.deepEqual(editor, { id: people.cast.editor.id, display_name: 'editor', avatar: null });
    assert.ok(!items.some(({ id }) => id === stranger.id));
    assert.deepEqual(
      (await list(stranger)).items.map(({ id }) => id),
      [stranger.id],
    );
    const part = await list(people.cast.viewer, '?limit=1&offset=1');
    assert.deepEqual([part.total, part.items], [total, items.slice(1, 2)]);
    assert.equal((await people.ask(null, 'GET', '/api/people')).status, 401);
  });

  test('a picture that was uploaded is shown to members alone', async () => {
    const { editor, viewer } = people.cast;
    await upload(editor);
    const { avatar } = (await list(viewer)).items.find(({ id }) => id === editor.id) ?? {};
    assert.equal(avatar, `/api/people/${editor.id}/avatar`);
    const get = (as: Person, headers = {}) =>
      people.app.inject({
        url: `/api/people/${editor.id}/avatar`,
        headers: { authorization: `Bearer ${as.token}`, ...headers },
      });
    const picture = await get(viewer);
    assert.deepEqual([picture.statusCode, picture.headers['content-type']], [200, 'image/jpeg']);
    assert.match(String(picture.headers['cache-control']), /^private, max-age=60/);
    assert.equal((await get(viewer, { 'if-none-match': picture.headers.etag })).statusCode, 304);
    const stranger = await people.person('admin', 'elsewhere');
    assert.equal((await get(stranger)).statusCode, 404);
    assert.equal((await people.app.inject({ url: `/api/people/${editor.id}/avatar` })).statusCode, 401);
    assert.equal((await people.ask(viewer, 'GET', `/api/people/${viewer.id}/avatar`)).status, 404);
    assert.equal((await people.ask(viewer, 'GET', '/api/people/nobody/avatar')).status, 404);
  });

  test('a picture elsewhere is not named', async () => {
    const { viewer } = people.cast;
    const avatar_url = 'https://pictures.example/me.png';
    const changed = await people.ask(viewer, 'PATCH', '/api/users/profile', { avatar_url });
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await list(viewer)).items.find(({ id }) => id === viewer.id)?.avatar, null);
  });

  test('the accounts of a cloud list the members of the caller’s tenant', async () => {
    const accounts = await startAccounts({ open });
    const [one] = [await accounts.register(), await accounts.register()];
    const { status, body } = await accounts.ask('GET', '/api/people', { token: one.token });
    const { items } = body as unknown as Listed;
    assert.deepEqual([status, items.length], [200, 1]);
    assert.deepEqual(Object.keys(items[0] ?? {}), ['id', 'display_name', 'avatar']);
    await accounts.close();
  });
});
