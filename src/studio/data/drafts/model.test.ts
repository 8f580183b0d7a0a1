import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/support/properties.ts';
import { baseOf, bodyOf, type Draft, partOf } from '../../domain/drafts/draft.ts';
import { BODY, valueAt } from '../../domain/field-path.ts';
import { openStore } from '../../kit/store/open-store.ts';
import { createDraftClient } from '../../testing/draft-client.ts';
import { createFakeClock, type FakeClock } from '../../testing/fake-clock.ts';
import { createFakeEntityService, entityState, refuse } from '../../testing/fake-entity-service.ts';
import { rebaseText } from '../../testing/rebase-text.ts';
import type { EntityDraft } from './drafts.ts';
import type { EntityApi } from './entity-api.ts';

/** Two people change one entity over a bad line. Every edit has a value of its own, so that each can be followed. */

const PATHS = ['name', 'fields.age', 'fields.arc.beginning', 'fields.arc.end'];
const FAULTS = [
  'slow',
  'slow',
  'slow',
  'lost before',
  'lost after',
  'slow',
  '401',
  '403',
  '413',
  '422',
  '429',
  '500 before',
  '500 after',
] as const;
type Fault = (typeof FAULTS)[number] | 'none';

const who = fc.constantFrom(0, 1);
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('field'), who, path: fc.constantFrom(...PATHS) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('text'),
      who,
      at: fc.nat(12),
      isLine: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.constantFrom(20, 700, 1_600, 5_000, 61_000) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('fault'),
      who,
      fault: fc.constantFrom<Fault>(...FAULTS),
      isRead: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill'), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('event'), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('flush'), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave'), who }) },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

const PLACE = { project: 'p', type: 'character', id: 'mira' };
const FIRST_WORD = 0x4e00;
const SLOW_MS = 4_000;

class Person {
  readonly name: string;
  readonly faults: { save: Fault[]; read: Fault[] } = { save: [], read: [] };
  /** Every value that was on the screen. */
  readonly seen = new Set<string>();
  private readonly taken = new Set<string>();
  private pages = 0;
  private world;
  drafts;
  draft: EntityDraft | null = null;

  constructor(name: string, world: World) {
    this.name = name;
    this.world = world;
    this.drafts = this.openPage();
  }

  private openPage() {
    this.pages += 1;
    const { store, clock } = this.world;
    const tab = `${this.name}-${this.pages}`;
    const isAlive = () => tab === `${this.name}-${this.pages}`;
    return createDraftClient({ store, clock, tab, account: this.name, api: this.api(isAlive) }).drafts;
  }

  /** The answers of a page that is gone reach nobody. */
  private api(isAlive: () => boolean): EntityApi {
    const real = this.world.service.apiOf(this.name);
    const over = async <Reply>(faults: Fault[], work: () => Promise<Reply>): Promise<Reply> => {
      if (!isAlive()) return new Promise(() => undefined);
      const reply = await through(faults.shift() ?? 'none', this.world.clock, work);
      return isAlive() ? reply : new Promise(() => undefined);
    };
    return {
      get: (address) => over(this.faults.read, () => real.get(address)),
      save: (address, body) => {
        const text = JSON.stringify(body);
        // A request that the service took once is neither too large nor wrong when it comes again.
        if (this.taken.has(text) && ['413', '422'].includes(this.faults.save[0] ?? ''))
          this.faults.save.shift();
        return over(this.faults.save, async () => {
          const reply = await real.save(address, body);
          this.taken.add(text);
          return reply;
        });
      },
      create: (address, body) => over(this.faults.save, () => real.create(address, body)),
    };
  }

  get key() {
    return { account: this.name, ...PLACE };
  }

  get shown(): Draft {
    assert.ok(this.draft);
    return this.draft.getSnapshot().draft;
  }

  async open(): Promise<void> {
    this.draft = await this.drafts.open(this.key, this.world.service.current(PLACE));
    this.draft?.subscribe(() => this.look());
    this.look();
  }

  private look(): void {
    for (const path of PATHS) {
      this.seen.add(`${path}: ${partOf(this.shown, path)}`);
      this.seen.add(`${path}: ${this.shown.conflicts[path]?.theirs}`);
    }
  }

  async kill(): Promise<void> {
    await this.world.clock.settle();
    await this.drafts.stop();
    this.drafts = this.openPage();
    await this.open();
    void this.drafts.start();
  }
}

async function through<Reply>(fault: Fault, clock: FakeClock, work: () => Promise<Reply>): Promise<Reply> {
  const wait = () => new Promise<void>((resolve) => void clock.after(SLOW_MS, resolve));
  if (fault === 'none') return work();
  if (fault === 'lost before') throw new TypeError('fetch failed');
  if (fault === '500 before') throw refuse(500, 'failed');
  if (fault === 'slow') {
    const reply = await work();
    await wait();
    return reply;
  }
  if (fault === 'lost after' || fault === '500 after') {
    await work();
    throw fault === 'lost after' ? new TypeError('fetch failed') : refuse(500, 'failed');
  }
  const errors = fault === '422' ? [{ field: 'age', message: 'is wrong' }] : [];
  throw refuse(Number(fault), 'refused', { errors });
}

interface World {
  clock: FakeClock;
  store: Awaited<ReturnType<typeof openStore>>;
  service: ReturnType<typeof createFakeEntityService>;
}

const count = (text: string, word: string): number => text.split(word).length - 1;

async function play(commands: readonly Command[]): Promise<void> {
  const clock = createFakeClock();
  const store = await openStore({ name: 'x', now: clock.now, patienceMs: 1 });
  const service = createFakeEntityService();
  const fields = { age: 'start', arc: { beginning: 'start', end: 'start' } };
  service.put(PLACE, entityState({ fields, name: 'start', markdown_body: 'a\nb\nc\nd\n' }));
  const world = { clock, store, service };
  const people = [new Person('ada', world), new Person('bo', world)];
  for (const person of people) await person.open();
  const words: { owner: Person; word: string }[] = [];
  const values: { owner: Person; path: string; value: string }[] = [];
  const replaced = new Set<string>();

  function edit(owner: Person, path: string): void {
    const value = `${owner.name}${values.length}`;
    replaced.add(String(partOf(owner.shown, path)));
    values.push({ owner, path, value });
    owner.draft?.edit(path, value);
  }

  function type(owner: Person, { at, isLine }: Extract<Command, { do: 'text' }>): void {
    // One character, since a rebase by characters may put an insertion between two that are alike elsewhere.
    const word = String.fromCharCode(FIRST_WORD + words.length);
    const lines = bodyOf(owner.shown).split('\n');
    const index = at % lines.length;
    if (isLine) lines.splice(index, 0, word);
    else lines[index] += word;
    words.push({ owner, word });
    owner.draft?.editBody(lines.join('\n'));
  }

  /** All typed words are at the service or still on the typist's screen, and nowhere twice. */
  function check(when: string): void {
    const body = service.current(PLACE).markdown_body;
    for (const { owner, word } of words) {
      const shown = bodyOf(owner.shown);
      assert.ok(count(body, word) + count(shown, word) > 0, `${word} is lost ${when}`);
      const conflict = owner.shown.conflicts[BODY];
      assert.ok(!conflict || isOfOther(String(conflict.theirs), owner), `conflict with oneself ${when}`);
      for (const text of [body, ...people.map((person) => bodyOf(person.shown))])
        assert.ok(count(text, word) <= 1, `${word} is doubled ${when}: ${text}`);
    }
    const history = service.historyOf(PLACE);
    for (const { owner, path, value } of values) {
      const isThere = history.some((version) => valueAt(version, path) === value);
      const isHere = partOf(owner.shown, path) === value;
      assert.notEqual(owner.shown.conflicts[path]?.theirs, value, `conflict with oneself ${when}`);
      assert.ok(isThere || isHere || replaced.has(value), `${value} of ${path} is lost ${when}`);
    }
  }

  const isOfOther = (text: string, person: Person) =>
    words.some(({ owner, word }) => owner !== person && text.includes(word));

  async function run(each: Command): Promise<void> {
    if (each.do === 'wait') return clock.advance(each.ms);
    const person = people[each.who];
    assert.ok(person);
    if (each.do === 'field') edit(person, each.path);
    else if (each.do === 'text') type(person, each);
    else if (each.do === 'fault') person.faults[each.isRead ? 'read' : 'save'].push(readable(each));
    else if (each.do === 'kill') await person.kill();
    else if (each.do === 'event') person.drafts.refresh(person.key, service.current(PLACE));
    else if (each.do === 'leave') person.drafts.leave();
    else void person.drafts.flush();
    await clock.settle();
  }

  for (const each of commands) {
    await run(each);
    check(`after ${JSON.stringify(each)}`);
  }
  const chosen = await comeToRest(people, world);
  check('at rest');
  const last = service.current(PLACE);
  for (const { draft, shown } of people) {
    assert.deepEqual(draft?.getSnapshot().state, { kind: 'saved' });
    assert.deepEqual(shown.base, baseOf(last));
  }
  for (const { word } of words) assert.equal(count(last.markdown_body, word), 1, `${word} at rest`);
  for (const path of PATHS) {
    checkOnce(path);
    checkSeen(path);
  }
  for (const person of people) assert.deepEqual(await store.table('drafts').list([person.name]), []);

  /** Nobody replaces what was not on the screen. */
  function checkSeen(path: string): void {
    const history = service.historyOf(PLACE);
    for (const [index, version] of history.entries()) {
      const before = valueAt(history[index - 1], path);
      const person = people.find(({ name }) => name === version.updated_by);
      if (!person || before === valueAt(version, path)) continue;
      assert.ok(person.seen.has(`${path}: ${before}`), `${person.name} replaced ${before} of ${path} unseen`);
    }
  }

  /** A value that was replaced comes back only by a user's choice. */
  function checkOnce(path: string): void {
    const all = service
      .historyOf(PLACE)
      .map((version) => valueAt(version, path))
      .filter((value) => !chosen.has(value));
    const changes = all.filter((value, index) => value !== all[index - 1]);
    assert.equal(new Set(changes).size, changes.length, `${path}: ${changes.join(', ')}`);
  }
}

/** A read is refused for no field and no size. */
const readable = ({ fault, isRead }: Extract<Command, { do: 'fault' }>): Fault =>
  isRead && ['403', '413', '422'].includes(fault) ? 'lost before' : fault;

/**
 * The line is good again, and both resolve their conflicts: mine for a field, both texts for the text. Returns the values
 * that were chosen.
 */
async function comeToRest(people: readonly Person[], { clock, service }: World): Promise<Set<unknown>> {
  const chosen = new Set<unknown>();
  for (const { faults } of people) faults.save.length = faults.read.length = 0;
  for (let round = 0; round < 12; round += 1) {
    for (const person of people) {
      for (const [path, { base, theirs }] of Object.entries(person.shown.conflicts)) {
        const mine = path === BODY ? bodyOf(person.shown) : partOf(person.shown, path);
        person.draft?.resolve(path, path === BODY ? both(String(base), String(theirs), String(mine)) : mine);
        chosen.add(mine);
      }
      void person.draft?.saveNow();
      await clock.advance(70_000);
      person.drafts.refresh(person.key, service.current(PLACE));
    }
  }
  return chosen;
}

/** In their places: after a lost answer, a word that was moved could not be known for the one that is sent again. */
function both(sent: string, server: string, current: string): string {
  const all = [...rebaseText({ sent, server, current })];
  return all.filter((word, at) => /[a-d\n]/.test(word) || all.indexOf(word) === at).join('');
}

test('whatever the line does, edits are saved once or stay in the draft', { timeout: 300_000 }, async () => {
  const property = fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 50, size: 'max' }), play);
  await fc.assert(property, { numRuns: 120 });
});
