import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonValue, nastyDocument } from '../../../test/support/nasty-documents.ts';
import fc from '../../../test/support/properties.ts';
import { DocumentError, editDocument, readDocument, splitDocument } from '../frontmatter/index.ts';
import { mergeDocuments, mergeText } from './index.ts';

function check<Ts extends [unknown, ...unknown[]]>(property: fc.IPropertyWithHooks<Ts>, numRuns = 500) {
  fc.assert(property, { numRuns });
}

/** Few different lines, so that sides agree, repeat and overlap. */
const text = fc
  .tuple(
    fc.array(fc.constantFrom('', 'one', 'two', 'three', 'four', 'five'), { maxLength: 14 }),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([lines, newline, ends]) => lines.join(newline) + (ends && lines.length > 0 ? newline : ''));

const linesOf = (value: string) => value.split(/\r?\n/);
const countOf = (value: string, line: string) => linesOf(value).filter((other) => other === line).length;

describe('mergeText of any texts', () => {
  it('is clean alike whichever side is local', () => {
    check(
      fc.property(text, text, text, (base, local, remote) => {
        const [one, other] = [mergeText(base, local, remote), mergeText(base, remote, local)];
        assert.equal(one.clean, other.clean);
        if (one.clean) assert.deepEqual(linesOf(one.text), linesOf(other.text));
      }),
    );
  });

  it('keeps each line, unless the other side took it away or a conflict names it', () => {
    check(
      fc.property(text, text, text, (base, local, remote) => {
        const merged = mergeText(base, local, remote);
        const named = merged.conflicts.flatMap((conflict) =>
          [conflict.local, conflict.remote].flatMap(linesOf),
        );
        for (const [side, other] of [
          [local, remote],
          [remote, local],
        ] as const) {
          for (const line of linesOf(side)) {
            const isKept = linesOf(merged.text).includes(line);
            const wasTaken = countOf(base, line) > countOf(other, line);
            const isNamed = named.includes(line);
            assert.ok(isKept || wasTaken || isNamed || line === '', `lost "${line}"`);
          }
        }
      }),
    );
  });

  it('puts every line that a side added into the proposal', () => {
    check(
      fc.property(text, text, fc.array(fc.nat(14)), fc.array(fc.nat(14)), (base, _, ours, theirs) => {
        const withLines = (name: string, places: number[]) => {
          const lines = linesOf(base);
          for (const [index, place] of places.entries()) lines.splice(place, place % 2, `${name} ${index}`);
          return lines.join('\n');
        };
        const [local, remote] = [withLines('local', ours), withLines('remote', theirs)];
        const { proposed } = mergeText(base, local, remote);
        for (const line of [...linesOf(local), ...linesOf(remote)]) {
          if (/^(local|remote) /.test(line)) assert.ok(linesOf(proposed).includes(line), `lost ${line}`);
        }
      }),
    );
  });

  it('of a side with itself, or with what did not change, is that side', () => {
    check(
      fc.property(text, text, (base, side) => {
        assert.equal(mergeText(base, side, side).text, side);
        assert.equal(mergeText(base, base, side).text, side);
        assert.equal(mergeText(base, side, base).text, side);
      }),
    );
  });
});

interface Edit {
  pick: number;
  kind: number;
  value: unknown;
  line: number;
}
const edit: fc.Arbitrary<Edit> = fc.record({
  pick: fc.nat(),
  kind: fc.nat(3),
  value: jsonValue,
  line: fc.nat(8),
});
const document = nastyDocument.map((source) => source.text).filter((source) => readDocument(source).ok);

function edited(source: string, edits: readonly Edit[], name: string): string {
  return edits.reduce((current, { pick, kind, value, line }, index) => {
    const read = readDocument(current);
    assert.ok(read.ok);
    const keys = Object.keys(read.data);
    const key = keys[pick % (keys.length || 1)] ?? 'first';
    const body = read.body.split('\n');
    body.splice(line, kind % 2, `${name} ${index}`);
    const changes = [
      { set: { [key]: value } },
      { unset: [key] },
      { set: { [`${name}_${index}`]: value } },
      { body: body.join('\n') },
    ];
    try {
      return editDocument(current, changes[kind] ?? {});
    } catch (error) {
      if (error instanceof DocumentError) return current;
      throw error;
    }
  }, source);
}

const threeSides = fc
  .tuple(document, fc.array(edit, { maxLength: 4 }), fc.array(edit, { maxLength: 4 }))
  .map(([base, ours, theirs]) => ({
    base,
    local: edited(base, ours, 'local'),
    remote: edited(base, theirs, 'remote'),
  }));

const dataOf = (source: string): Record<string, unknown> => {
  const read = readDocument(source);
  return read.ok ? read.data : {};
};

/** As JSON texts. */
const leavesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : [JSON.stringify(value)];

describe('mergeDocuments of any documents', () => {
  it('can be read again, and is clean alike whichever side is local', () => {
    check(
      fc.property(threeSides, ({ base, local, remote }) => {
        const [one, other] = [mergeDocuments(base, local, remote), mergeDocuments(base, remote, local)];
        if (!one.structured || !other.structured) return;
        assert.ok(readDocument(one.text).ok);
        assert.equal(one.clean, other.clean, JSON.stringify([one.conflicts, other.conflicts]));
        const fieldsOf = (merge: typeof one) => merge.conflicts.map(({ field }) => field).sort();
        assert.deepEqual(fieldsOf(one), fieldsOf(other));
      }),
    );
  });

  it('keeps each value, unless the base had it or a conflict names its field', () => {
    check(
      fc.property(threeSides, ({ base, local, remote }) => {
        const merged = mergeDocuments(base, local, remote);
        if (!merged.structured) return;
        for (const side of [local, remote]) {
          for (const [key, value] of Object.entries(dataOf(side))) {
            const isNamed = merged.conflicts.some(
              ({ field }) => field === key || field.startsWith(`${key}.`),
            );
            const kept = new Set([...leavesOf(dataOf(merged.text)[key]), ...leavesOf(dataOf(base)[key])]);
            for (const leaf of leavesOf(value)) assert.ok(isNamed || kept.has(leaf), `${key} lost ${leaf}`);
          }
        }
      }),
    );
  });

  it('keeps each line of a body that a side wrote in the proposed body', () => {
    check(
      fc.property(threeSides, ({ base, local, remote }) => {
        const merged = mergeDocuments(base, local, remote);
        if (!merged.structured) return;
        for (const side of [local, remote]) {
          for (const line of splitDocument(side).body.split('\n')) {
            if (/^(local|remote) \d/.test(line))
              assert.ok(merged.body.includes(line.trimEnd()), `lost ${line}`);
          }
        }
      }),
    );
  });

  it('mostly works on fields, so that the properties above test what they say', () => {
    const samples = fc
      .sample(threeSides, 300)
      .map(({ base, local, remote }) => mergeDocuments(base, local, remote));
    assert.ok(samples.filter(({ structured }) => structured).length > 240);
    assert.ok(samples.filter(({ clean }) => clean).length > 30);
    assert.ok(samples.filter(({ clean }) => !clean).length > 30);
  });
});
