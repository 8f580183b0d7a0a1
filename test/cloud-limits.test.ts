import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PLANS } from '../src/access/plans.ts';
import { type CloudCore, startCloud } from './support/cloud.ts';
import { subscribed } from './support/subscribed.ts';

const cloud = await startCloud();
after(() => cloud.close());
const { accounts, cores } = cloud;
const CHARACTERS = '/api/entity/character';

interface Answer {
  code: string;
  detail: string;
  total: number;
  total_active: number;
  plan: string;
}

/** The cores take turns. */
const call = (token: string, method: string, path: string, body?: object, turn = 0) =>
  (cores[turn % 2] as CloudCore).call<Answer>(method, path, { token, body });

const countOf = (answers: readonly { status: number }[], wanted: number): number =>
  answers.filter(({ status }) => status === wanted).length;

test('the plan in the token limits entities over all cores, and another plan moves the limit', async () => {
  const person = await accounts.register();
  const create = (token: string, index: number) =>
    call(token, 'POST', CHARACTERS, { entity_id: `person_${index}`, name: 'Somebody' }, index);
  const limit = PLANS.free.entities_limit;
  assert.equal(limit, 100);
  const answers = await Promise.all(
    Array.from({ length: limit + 10 }, (_, index) => create(person.token, index)),
  );
  assert.deepEqual([countOf(answers, 201), countOf(answers, 402)], [limit, 10]);
  const refused = answers.find(({ status }) => status === 402);
  assert.match(refused?.body.detail ?? '', /100/);
  assert.equal((await call(person.token, 'GET', CHARACTERS)).body.total, limit);

  const other = await accounts.register();
  assert.equal((await create(other.token, 0)).status, 201);

  const paid = await subscribed(cloud, person, 'indie');
  for (const turn of [0, 1]) assert.equal((await create(paid, limit + 10 + turn)).status, 201);
});

test('the limit is kept to the last entity where two cores make some in two projects at once', async () => {
  const { token } = await accounts.register();
  const create = (index: number) =>
    (cores[index % 2] as CloudCore).call<Answer>('POST', CHARACTERS, {
      token,
      body: { entity_id: `one_${index}`, name: 'Somebody' },
      headers: { 'x-project-id': index % 4 < 2 ? 'default' : 'other' },
    });
  const answersTo = (from: number, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => create(from + index)));
  assert.equal(countOf(await answersTo(0, 76), 201), 76);
  const answers = await answersTo(76, 50);
  assert.deepEqual([countOf(answers, 201), countOf(answers, 402)], [24, 26]);
});

test('the plan in the token limits active templates over all cores, and another plan moves the limit', async () => {
  const person = await accounts.register();
  const available = await call(person.token, 'GET', '/api/tenant/available-templates');
  const wanted = (available.body as unknown as { entity_type: string; category: string }[])
    .filter(({ category }) => category !== 'core')
    .slice(0, 8)
    .map(({ entity_type }) => entity_type);
  const activate = (token: string, entity_type: string, turn: number) =>
    call(token, 'POST', '/api/tenant/activate-template', { entity_type }, turn);
  const answers = await Promise.all(wanted.map((type, index) => activate(person.token, type, index)));
  assert.deepEqual([countOf(answers, 200), countOf(answers, 403)], [PLANS.free.activation_limit, 3]);
  for (const turn of [0, 1]) {
    const { body } = await call(person.token, 'GET', '/api/tenant/active-templates', undefined, turn);
    assert.deepEqual([body.total_active, body.plan], [PLANS.free.activation_limit, 'free']);
  }
  const paid = await subscribed(cloud, person, 'indie');
  for (const [turn, type] of wanted.entries()) assert.equal((await activate(paid, type, turn)).status, 200);
});
