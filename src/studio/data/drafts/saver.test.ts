import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, type Draft, partOf } from '../../domain/drafts/draft.ts';
import { openStore } from '../../kit/store/open-store.ts';
import { createDraftClient } from '../../testing/draft-client.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createFakeEntityService, entityState, refuse } from '../../testing/fake-entity-service.ts';
import type { EntityApi } from './entity-api.ts';

const key = { account: 'ada', project: 'p', type: 'character', id: 'mira' };

/** A service with one entity, a client of it, and what the client sent. */
async function setUp(more: { renew?: () => Promise<boolean> } = {}) {
  const clock = createFakeClock();
  const service = createFakeEntityService();
  service.put(key, entityState({ fields: { age: 3 }, markdown_body: 'one\ntwo\nthree\n' }));
  const store = await openStore({ name: 'drafts', now: clock.now, patienceMs: 1 });
  const sent: object[] = [];
  const answers: ((real: () => Promise<never>) => Promise<never>)[] = [];
  const real = service.apiOf('ada');
  const answered = <Reply>(work: () => Promise<Reply>): Promise<Reply> => {
    const answer = answers.shift() as ((real: () => Promise<Reply>) => Promise<Reply>) | undefined;
    return answer ? answer(work) : work();
  };
  const api: EntityApi = {
    get: (address) => real.get(address),
    save(address, body, options) {
      sent.push({ ...body, ...(options?.keepalive && { keepalive: true }) });
      return answered(() => real.save(address, body));
    },
    create(address, body, options) {
      sent.push({ ...body, ...(options?.keepalive && { keepalive: true }) });
      return answered(() => real.create(address, body));
    },
  };
  const clientOf = (tab: string) => createDraftClient({ store, api, clock, tab, ...more });
  const client = clientOf('t1');
  const draft = await client.drafts.open(key, service.current(key));
  assert.ok(draft);
  const state = () => draft.getSnapshot().state;
  const kept = () => store.table('drafts').list<Draft>(['ada']);
  const bo = (patch: object) =>
    service
      .apiOf('bo')
      .save(key, { base_version: service.current(key).version, on_conflict: 'report', ...patch });
  return { ...client, draft, state, kept, clock, service, sent, answers, store, clientOf, bo };
}

const refused =
  (status: number, code = 'no', more: object = {}) =>
  async () => {
    throw refuse(status, code, more);
  };
const lostBefore = async () => {
  throw new TypeError('fetch failed');
};
const lostAfter = async (work: () => Promise<never>) => {
  await work();
  throw new TypeError('fetch failed');
};
const base = (version: number) => ({ base_version: version, on_conflict: 'report' });

test('a change is kept at once, saved 1.5 s after the last one, and said to be saved only then', async () => {
  const { draft, state, kept, clock, sent, service } = await setUp();
  assert.deepEqual(state(), { kind: 'saved' });
  draft.edit('fields.age', 4);
  assert.deepEqual(state(), { kind: 'saving' });
  await clock.advance(1_000);
  assert.equal((await kept()).length, 1);
  draft.edit('fields.age', 5);
  await clock.advance(1_499);
  assert.deepEqual(sent, []);
  await clock.advance(1);
  assert.deepEqual(sent, [{ fields: { age: 5 }, ...base(1) }]);
  assert.deepEqual([state(), await kept()], [{ kind: 'saved' }, []]);
  assert.equal(service.current(key).fields.age, 5);
});

test('who types on is saved every 10 s', async () => {
  const { draft, clock, sent } = await setUp();
  for (let second = 0; second < 21; second += 1) {
    draft.editBody(`${second}`);
    await clock.advance(1_000);
  }
  assert.equal(sent.length, 2);
});

test('what is typed during a save is saved after it, and meanwhile it is not said to be saved', async () => {
  const { draft, state, clock, sent, answers, service } = await setUp();
  let answer: () => void = () => undefined;
  answers.push(async (work) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return work();
  });
  draft.edit('fields.age', 4);
  await clock.advance(1_500);
  draft.edit('fields.age', 3);
  draft.edit('name', 'M');
  answer();
  await clock.settle();
  assert.deepEqual(state(), { kind: 'saving' });
  await clock.advance(1_500);
  assert.deepEqual(sent[1], { fields: { age: 3 }, name: 'M', ...base(2) });
  assert.deepEqual([state().kind, service.current(key).fields.age], ['saved', 3]);
});

test('changes of others to other parts are merged, and the mounted editor shows them', async () => {
  const { draft, state, clock, bo } = await setUp();
  const shown: string[][] = [];
  draft.attachEditor({ applyRemote: (server, sent) => shown.push([server, sent]) });
  draft.editBody('one mine\ntwo\nthree\n');
  await bo({ markdown_body: 'one\ntwo\nthree theirs\n', name: 'Mira V' });
  await clock.advance(1_500);
  assert.equal(bodyOf(draft.getSnapshot().draft), 'one mine\ntwo\nthree theirs\n');
  assert.equal(partOf(draft.getSnapshot().draft, 'name'), 'Mira V');
  assert.deepEqual(shown, [['one mine\ntwo\nthree theirs\n', 'one mine\ntwo\nthree\n']]);
  assert.equal(state().kind, 'saved');
});

test('a conflict names the other and the part; the rest is saved; the user’s choice ends it', async () => {
  const { draft, state, clock, bo, service, sent } = await setUp();
  draft.editBody('one mine\ntwo\nthree\n');
  draft.edit('fields.age', 4);
  await bo({ markdown_body: 'one theirs\ntwo\nthree\n' });
  await clock.advance(1_500);
  assert.deepEqual(state(), { kind: 'conflict', with: 'bo', parts: ['markdown_body'] });
  assert.deepEqual([service.current(key).fields.age, sent.length], [4, 2]);
  assert.equal(bodyOf(draft.getSnapshot().draft), 'one mine\ntwo\nthree\n');
  await clock.advance(60_000);
  assert.equal(sent.length, 2);
  draft.resolve('markdown_body', 'one mine and theirs\ntwo\nthree\n');
  await clock.advance(1_500);
  assert.deepEqual(state(), { kind: 'saved' });
  assert.equal(service.current(key).markdown_body, 'one mine and theirs\ntwo\nthree\n');
});

test('taking their side of a conflict changes nothing at the service, and mine is kept', async () => {
  const { draft, drafts, state, clock, bo, service } = await setUp();
  draft.edit('fields.age', 4);
  await bo({ fields: { age: 9 } });
  await clock.advance(1_500);
  assert.deepEqual(state(), { kind: 'conflict', with: 'bo', parts: ['fields.age'] });
  await draft.resolveWithTheirs('fields.age');
  assert.deepEqual(state(), { kind: 'saved' });
  assert.equal(partOf(draft.getSnapshot().draft, 'fields.age'), 9);
  await clock.advance(60_000);
  assert.equal(service.current(key).version, 2);

  const [kept] = await drafts.discarded();
  assert.ok(kept);
  await drafts.restore(kept);
  assert.deepEqual(state(), { kind: 'conflict', with: 'bo', parts: ['fields.age'] });
  draft.resolve('fields.age', partOf(draft.getSnapshot().draft, 'fields.age'));
  await clock.advance(1_500);
  assert.equal(service.current(key).fields.age, 4);
});

test('of a text, the lines that gave way are kept, and what is typed meanwhile changes places with them', async () => {
  const { draft, drafts, state, clock, bo } = await setUp();
  draft.editBody('one mine\ntwo\nthree\n');
  await bo({ markdown_body: 'one theirs\ntwo\nthree\n' });
  await clock.advance(1_500);
  await draft.resolveWithTheirs('markdown_body', 'one theirs\ntwo\nthree\n');
  assert.deepEqual(state(), { kind: 'saved' });
  await clock.advance(10);
  draft.editBody('something else');
  const [kept] = await drafts.discarded();
  assert.ok(kept);
  await drafts.restore(kept);
  assert.equal(bodyOf(draft.getSnapshot().draft), 'one mine\ntwo\nthree\n');
  const others = await drafts.discarded();
  assert.deepEqual(
    others.map((other) => bodyOf(other.draft)),
    ['something else'],
  );
});

test('a refused part keeps its message and waits; the rest is saved without it', async () => {
  const { draft, state, clock, sent, answers, service } = await setUp();
  draft.edit('fields.age', 'old');
  draft.edit('name', 'M');
  answers.push(refused(422, 'invalid_fields', { errors: [{ field: 'age', message: 'must be a number' }] }));
  await clock.advance(1_500);
  assert.deepEqual(state(), { kind: 'refused', why: null, parts: { 'fields.age': 'must be a number' } });
  assert.deepEqual([sent[1], service.current(key).name], [{ name: 'M', ...base(1) }, 'M']);
  await clock.advance(60_000);
  assert.equal(sent.length, 2);
  draft.edit('fields.age', 7);
  await clock.advance(1_500);
  assert.deepEqual([state(), service.current(key).fields.age], [{ kind: 'saved' }, 7]);
});

for (const status of [402, 403, 413])
  test(`${status}: the draft stays and is not sent again by itself`, async () => {
    const { draft, state, clock, sent, answers, kept } = await setUp();
    answers.push(refused(status, 'over', { detail: 'too much' }));
    draft.edit('name', 'M');
    await clock.advance(600_000);
    const why = { status, code: 'over', detail: 'too much', suggestion: null };
    assert.deepEqual(state(), { kind: 'refused', why, parts: {} });
    assert.deepEqual([sent.length, (await kept()).length], [1, 1]);
    await draft.saveNow();
    assert.deepEqual([state(), sent.length], [{ kind: 'saved' }, 2]);
  });

test('401: the session is renewed once and the save repeated; else the draft waits for the sign-in', async () => {
  let renewals = 0;
  const { draft, drafts, state, clock, answers, sent } = await setUp({ renew: async () => ++renewals === 1 });
  answers.push(refused(401));
  draft.edit('name', 'M');
  await clock.advance(1_500);
  assert.deepEqual([state().kind, renewals, sent.length], ['saved', 1, 2]);
  answers.push(refused(401));
  draft.edit('name', 'N');
  await clock.advance(600_000);
  assert.deepEqual([state().kind, renewals, sent.length], ['kept', 2, 3]);
  await drafts.flush();
  assert.equal(state().kind, 'saved');
});

test('without a network the draft is kept and tried again after 1, 2, 4 … 60 s, or when the network is back', async () => {
  const { draft, drafts, state, clock, answers, sent } = await setUp();
  answers.push(...Array.from({ length: 20 }, () => lostBefore));
  draft.edit('name', 'M');
  await clock.advance(1_500);
  const since = clock.now();
  assert.deepEqual(state(), { kind: 'kept', reason: 'offline', since });
  const counts = [];
  for (const pause of [999, 1, 1_999, 1, 4_000, 8_000]) {
    await clock.advance(pause);
    counts.push(sent.length);
  }
  assert.deepEqual(counts, [1, 2, 2, 3, 4, 5]);
  assert.deepEqual(state(), { kind: 'kept', reason: 'offline', since });
  answers.length = 0;
  await drafts.flush();
  assert.deepEqual([state(), sent.length], [{ kind: 'saved' }, 6]);
});

test('Retry-After is honoured', async () => {
  const { draft, state, clock, answers, sent } = await setUp();
  answers.push(refused(429, 'slow', { retryAfter: 30 }));
  draft.edit('name', 'M');
  await clock.advance(31_000);
  assert.deepEqual([sent.length, state().kind], [1, 'kept']);
  await clock.advance(500);
  assert.deepEqual([sent.length, state().kind], [2, 'saved']);
});

test('a lost answer is settled by reading: what was taken is not sent again', async () => {
  const { draft, state, clock, answers, sent, service } = await setUp();
  answers.push(lostAfter);
  draft.editBody('one mine\ntwo\nthree\n');
  await clock.advance(1_500);
  draft.editBody('one mine!\ntwo\nthree\n');
  await clock.advance(1_000);
  await clock.advance(1_500);
  assert.equal(state().kind, 'saved');
  assert.deepEqual(sent.slice(1), [{ markdown_body: 'one mine!\ntwo\nthree\n', ...base(2) }]);
  assert.equal(service.current(key).markdown_body, 'one mine!\ntwo\nthree\n');
});

test('a page that was killed during a save settles it at the next start', async () => {
  const { draft, clock, answers, clientOf, service, sent, kept } = await setUp();
  answers.push(async (work) => {
    await work();
    return new Promise<never>(() => undefined);
  });
  draft.editBody('one mine\ntwo\nthree\n');
  await clock.advance(1_500);
  draft.editBody('one mine!\ntwo\nthree\n');
  await clock.settle();
  const { drafts } = clientOf('t2');
  const open = await drafts.open(key);
  assert.ok(open);
  assert.equal(bodyOf(open.getSnapshot().draft), 'one mine!\ntwo\nthree\n');
  assert.notEqual(open.getSnapshot().recoveredFrom, null);
  await drafts.start();
  await clock.advance(1_500);
  assert.deepEqual([open.getSnapshot().state, await kept()], [{ kind: 'saved' }, []]);
  assert.equal(service.current(key).markdown_body, 'one mine!\ntwo\nthree\n');
  assert.equal(sent.length, 2);
});

test('of a deleted entity the draft stays, and can become a new one', async () => {
  const { draft, drafts, state, clock, service } = await setUp();
  service.remove(key);
  draft.editBody('mine');
  await clock.advance(1_500);
  const { kind, ...refusal } = state();
  assert.deepEqual([kind, 'why' in refusal && refusal.why?.code], ['refused', 'gone']);
  const copy = await draft.keepAsNew();
  await copy.saveNow();
  assert.equal(copy.getSnapshot().draft.key.id, 'mira');
  assert.deepEqual([service.current(key).markdown_body, service.current(key).fields], ['mine', { age: 3 }]);
  assert.equal((await drafts.discarded()).length, 1);
});

test('a new entity is made with an id of its name, once the user has gone on from the name', async () => {
  const { drafts, moved, clock, service, sent, kept } = await setUp();
  const made = drafts.create('p', 'character');
  assert.deepEqual(made.getSnapshot().state, { kind: 'saved' });
  made.editBody('Text');
  assert.equal(made.getSnapshot().state.kind, 'kept');
  made.editBody('');
  made.edit('name', 'Wren');
  await clock.advance(60_000);
  made.editBody('Text');
  await clock.advance(1_500);
  assert.deepEqual(sent, [{ entity_id: 'wren', name: 'Wren', markdown_body: 'Text' }]);
  assert.deepEqual([moved, made.getSnapshot().draft.key.id], [['wren'], 'wren']);
  assert.deepEqual([made.getSnapshot().state, await kept()], [{ kind: 'saved' }, []]);
  made.edit('fields.age', 1);
  await clock.advance(1_500);
  assert.equal(service.current({ ...key, id: 'wren' }).fields.age, 1);
});

test('an id that is taken is said, with a free one; a creation whose answer was lost is not another’s', async () => {
  const { drafts, clock, answers, service, sent } = await setUp();
  const made = drafts.create('p', 'character');
  made.edit('name', 'Mira');
  await made.saveNow();
  const state = made.getSnapshot().state;
  assert.ok(state.kind === 'refused');
  assert.deepEqual([state.why?.code, state.why?.suggestion], ['id_taken', 'mira_2']);
  answers.push(lostAfter);
  await made.chooseId('mira_2');
  assert.equal(made.getSnapshot().state.kind, 'kept');
  await clock.advance(1_000);
  assert.deepEqual([made.getSnapshot().state.kind, sent.length], ['saved', 2]);
  assert.equal(service.historyOf({ ...key, id: 'mira_2' }).length, 1);

  const other = drafts.create('p', 'character');
  other.edit('name', 'Oda');
  answers.push(lostBefore);
  await other.saveNow();
  await service.apiOf('bo').create(key, { entity_id: 'oda', name: 'Oda' });
  await clock.advance(1_000);
  const refusal = other.getSnapshot().state;
  assert.ok(refusal.kind === 'refused');
  assert.equal(refusal.why?.suggestion, 'oda_2');
});

test('what a service left as a file when it was killed in the middle of a creation is not made again', async () => {
  const { drafts, clock, answers, service, moved, sent } = await setUp();
  const made = drafts.create('p', 'character');
  made.edit('name', 'Fay');
  answers.push(lostBefore);
  await made.saveNow();
  const fay = { ...key, id: 'fay' };
  service.put(fay, entityState({ entity_id: 'fay', name: 'Fay', version: 1, updated_by: null }));
  await clock.advance(1_000);
  assert.deepEqual([made.getSnapshot().state.kind, moved, sent.length], ['saved', ['fay'], 1]);
});

test('on leaving, an entity that was never saved waits for the next page, which hears whether it was made', async () => {
  const { drafts, clock, sent, kept } = await setUp();
  const made = drafts.create('p', 'character');
  made.edit('name', 'Fay');
  drafts.leave();
  await clock.settle();
  assert.deepEqual([sent, (await kept()).length], [[], 1]);
});

test('on leaving, what is unsaved is sent to outlive the page, unless it is too large', async () => {
  const { draft, drafts, clock, sent, state } = await setUp();
  draft.edit('name', 'M');
  drafts.leave();
  assert.deepEqual(sent, [{ name: 'M', ...base(1), keepalive: true }]);
  await clock.settle();
  assert.equal(state().kind, 'saved');
  draft.editBody('x'.repeat(70_000));
  drafts.leave();
  assert.equal(sent.length, 1);
});

test('entities that waited are saved in the order of change', async () => {
  const { drafts, draft, clock, answers, sent, service } = await setUp();
  const oda = { ...key, id: 'oda' };
  service.put(oda, entityState({ entity_id: 'oda', name: 'Oda' }));
  const other = await drafts.open(oda, service.current(oda));
  answers.push(lostBefore, lostBefore);
  other?.edit('name', 'O');
  await clock.advance(10);
  draft.edit('name', 'M');
  await clock.advance(1_510);
  assert.equal(drafts.unsaved.getSnapshot().length, 2);
  await drafts.flush();
  assert.deepEqual(sent.slice(2), [
    { name: 'O', ...base(1) },
    { name: 'M', ...base(1) },
  ]);
  assert.deepEqual(drafts.unsaved.getSnapshot(), []);
});

test('a discarded draft is kept for 30 days and can be brought back', async () => {
  const { draft, drafts, clock, service, bo, state } = await setUp();
  draft.edit('fields.age', 4);
  draft.editBody('mine');
  await draft.discard();
  assert.deepEqual([state(), bodyOf(draft.getSnapshot().draft)], [{ kind: 'saved' }, 'one\ntwo\nthree\n']);
  await bo({ fields: { age: 8 } });
  drafts.refresh(key, service.current(key));
  const [kept] = await drafts.discarded();
  assert.ok(kept);
  await drafts.restore(kept);
  assert.equal(bodyOf(draft.getSnapshot().draft), 'mine');
  assert.deepEqual(state(), { kind: 'conflict', with: 'bo', parts: ['fields.age'] });
  assert.deepEqual(await drafts.discarded(), []);
  await draft.discard();
  await clock.advance(31 * 24 * 3_600_000);
  assert.deepEqual(await drafts.discarded(), []);
});

test('drafts of another account are neither shown nor sent', async () => {
  const { draft, store, clock, service } = await setUp();
  draft.edit('name', 'M');
  await clock.settle();
  const other = createDraftClient({ store, api: service.apiOf('bo'), clock, tab: 't9', account: 'bo' });
  await other.drafts.start();
  assert.deepEqual(other.drafts.unsaved.getSnapshot(), []);
  assert.equal(service.current(key).version, 1);
});

test('drafts of an account that has left are kept, and never sent again', async () => {
  const { draft, drafts, kept, clock, sent, answers } = await setUp();
  answers.push(lostBefore);
  draft.edit('fields.age', 4);
  await clock.advance(1_500);
  assert.equal(sent.length, 1);
  await drafts.stop();
  draft.edit('fields.age', 5);
  await drafts.flush();
  await draft.saveNow();
  drafts.leave();
  await clock.advance(120_000);
  assert.equal(sent.length, 1);
  assert.equal((await kept())[0]?.changes['fields.age'], 5);
});

test('an account that leaves while its save is under way sends nothing after it', async () => {
  const { draft, drafts, clock, sent, answers } = await setUp();
  let fail: () => void = () => undefined;
  answers.push(async () => {
    await new Promise<void>((resolve) => {
      fail = resolve;
    });
    throw new TypeError('fetch failed');
  });
  draft.edit('fields.age', 4);
  await clock.advance(1_500);
  const stopped = drafts.stop();
  fail();
  await stopped;
  await clock.advance(120_000);
  assert.equal(sent.length, 1);
});
