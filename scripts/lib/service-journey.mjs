import assert from 'node:assert/strict';

const CREDENTIALS = { email: 'first@example.org', password: 'correct horse battery' };

/**
 * Registers the first user, lists the sample world's characters and searches for one of them.
 * @param {string} url of the service
 * @returns {Promise<string[]>} the steps taken, one line each
 */
export async function useService(url) {
  await call(url, 'POST', '/api/auth/register', { body: { ...CREDENTIALS, display_name: 'First' } });
  const { access_token: token } = await call(url, 'POST', '/api/auth/login', { body: CREDENTIALS });
  assert.ok(token, 'POST /api/auth/login answered no access_token');

  const { entities } = await call(url, 'GET', '/api/entity/character', { token });
  assert.ok(entities?.length > 0, 'the sample world has no characters');

  const [{ entity_id: id, name }] = entities;
  const query = `/api/entity/character?search=${encodeURIComponent(name)}`;
  const found = await call(url, 'GET', query, { token });
  assert.ok(
    found.entities.some((entity) => entity.entity_id === id),
    `searching "${name}" did not find ${id}`,
  );

  const denied = await fetch(`${url}/api/entity/character`);
  assert.equal(denied.status, 401, 'the list must ask for a token');
  return [
    'first user registered',
    `${entities.length} characters in the sample world`,
    `search finds "${name}"`,
  ];
}

async function call(url, method, path, { body, token } = {}) {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
