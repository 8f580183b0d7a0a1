import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

interface Saved {
  fields: Record<string, unknown>;
  is_valid: boolean;
  validation_errors: unknown[];
  warnings?: { field: string; message: string }[];
}

interface Refusal {
  detail: string;
  errors: { field: string }[];
}

interface Report {
  valid: number;
  findings: { rule_id: string; field: string; severity: string; message: string; line: number | null }[];
}

const URL = '/api/entity/character/mira';

forEachDatabase((_name, open) => {
  describe('names that nobody knows', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
      const fields = { species: 'human', mood: 'calm', stats: { body: 3 } };
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'mira', name: 'Mira', fields } });
    });
    after(() => core.close());

    const put = (fields: Record<string, unknown>, more: object = {}) =>
      core.call<Saved>('PUT', URL, { body: { fields, ...more } });
    const named = ({ body }: { body: Saved }) => body.warnings?.map(({ field }) => field);

    test('as fields are kept, and the reply says so with what is near', async () => {
      const saved = await put({ brith_year: 372, shoe_size: 39, species: 'selkie' });
      assert.equal(saved.status, 200);
      assert.deepEqual([saved.body.fields.brith_year, saved.body.is_valid], [372, true]);
      assert.deepEqual(named(saved), ['brith_year', 'shoe_size']);
      assert.match(
        saved.body.warnings?.[0]?.message ?? '',
        /not a field of the template.*did you mean 'birth_year'\?/,
      );
      assert.doesNotMatch(saved.body.warnings?.[1]?.message ?? '', /did you mean/);

      const made = await core.call<Saved>('POST', '/api/entity/character', {
        body: { entity_id: 'tomas', name: 'Tomas', fields: { speices: 'human' } },
      });
      assert.deepEqual([made.status, made.body.fields.speices, named(made)], [201, 'human', ['speices']]);
      const based = await put({ brith_year: 373 }, { base_version: 2 });
      assert.deepEqual(named(based), ['brith_year']);
    });

    test('are not told of what the template knows or leaves free, nor of what was not sent', async () => {
      for (const fields of [
        { species: 'human' },
        { relationships: [{ to: 'tomas', anything: 1 }] },
        { stats: { body: 4 } },
      ])
        assert.equal(named(await put(fields)), undefined, JSON.stringify(fields));
    });

    test('in files are warnings of a validation, with their line, and no fault', async () => {
      const file = join(core.contentDir, 'Characters/tomas/CH_tomas.md');
      const text = readFileSync(file, 'utf8').replace(
        'speices: human',
        'speices: human\nprodution_status: draft',
      );
      writeFileSync(file, text);
      await core.call('POST', '/api/entity/sync/all');
      const { body } = await core.call<Report>('POST', '/api/rules/validate/character', {
        body: { entity_id: 'tomas' },
      });
      const found = body.findings.filter(({ rule_id }) => rule_id === 'template.unknown_field');
      const lineOf = (start: string) => text.split('\n').findIndex((line) => line.startsWith(start)) + 1;
      assert.deepEqual(
        found.map(({ field, severity, line }) => [field, severity, line]),
        [
          ['speices', 'warning', lineOf('speices:')],
          ['prodution_status', 'warning', lineOf('prodution_status:')],
        ],
      );
      assert.match(found[0]?.message ?? '', /^speices .*did you mean 'species'\?/);
      assert.match(found[1]?.message ?? '', /did you mean 'production_status'\?/);
      const { body: read } = await core.call<Saved>('GET', '/api/entity/character/tomas');
      assert.deepEqual([read.is_valid, read.validation_errors], [true, []]);
    });

    const refused = async (query: string, field: string, detail: RegExp) => {
      const { status, body } = await core.call<Refusal>('GET', `/api/entity/${query}`);
      assert.equal(status, 422, query);
      assert.match(body.detail, detail, query);
      assert.equal(body.errors[0]?.field, field, query);
    };

    test('as filters are refused, unless an entity has the field', async () => {
      await refused('character?filter[speces]=human', 'filter[speces]', /did you mean 'species'\?/);
      await refused('character?filter[nothing.deep]=1', 'filter[nothing.deep]', /no field of character/);
      for (const name of ['species', 'mood', 'shoe_size', 'aliases.0', 'relationships.x']) {
        const { status } = await core.call('GET', `/api/entity/character?filter[${name}]=x`);
        assert.equal(status, 200, name);
      }
      await refused('location?filter[height_cm]=1', 'filter[height_cm]', /no field of location/);
    });

    test('in a body are refused where they are near to one that is known', async () => {
      const send = (body: object) => core.call<Refusal>('POST', '/api/assets/sanitize-ids', { body });
      const { status, body } = await send({ dry_rnu: true });
      assert.equal(status, 422);
      assert.match(body.detail, /'dry_rnu'.*did you mean 'dry_run'\?/);
      assert.equal((await send({ dry_run: true, note: 'from a newer client' })).status, 200);
    });

    test('in a query are refused with what is near', async () => {
      await refused('character?serach=mira', 'serach', /did you mean 'search'\?/);
      await refused('character?filer[species]=x', 'filer[species]', /not known here/);
      await refused('character?sort_by=nmae', 'sort_by', /did you mean 'name'\?/);
      await refused('character/mira?fields=name', 'fields', /not known here/);
      const others = ['character?project_id=default', 'character/mira?project_id=default'];
      for (const query of others) assert.equal((await core.call('GET', `/api/entity/${query}`)).status, 200);
      assert.equal((await core.call('GET', '/health?t=17')).status, 200);
      assert.equal((await core.call('GET', '/docs?utm_source=mail')).status, 200);
    });
  });
});
