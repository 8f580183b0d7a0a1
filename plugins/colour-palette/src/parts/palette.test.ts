import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, change, move, readPalette, remove, writePalette } from './palette.ts';

const keyAt = (palette: ReturnType<typeof readPalette>, at: number) => palette.items[at]?.key ?? -1;

test('what nobody has touched is written as it was', () => {
  for (const value of [
    [],
    ['#E8B04B', 'ABC', 'Deep sea #0b3d5c', 'no colour', 7, null],
    [{ hex: '#E8B04B', name: 'Sun', use: 'light' }, { colour: 'red' }, '#abc', ['#abc']],
  ])
    assert.deepEqual(writePalette(readPalette(value)), value);
  for (const nothing of [null, undefined, '']) assert.deepEqual(writePalette(readPalette(nothing)), []);
  assert.deepEqual(writePalette(readPalette('#abc')), ['#abc']);
});

test('names and colours are read from texts and from objects', () => {
  const { items } = readPalette(['#E8B04B', 'Deep sea #0b3d5c', { label: 'Foam', value: '#eef' }, 'blue']);
  assert.deepEqual(
    items.map(({ name, hex }) => [name, hex]),
    [
      ['', '#e8b04b'],
      ['Deep sea', '#0b3d5c'],
      ['Foam', '#eeeeff'],
      ['blue', null],
    ],
  );
});

test('a list of texts stays one of texts', () => {
  const one = add(readPalette(['#ABC']), [{ name: 'Deep sea', hex: '#0b3d5c' }]);
  assert.deepEqual(writePalette(one), ['#ABC', 'Deep sea #0b3d5c']);
  assert.deepEqual(writePalette(change(one, keyAt(one, 0), { name: 'Sky' })), [
    'Sky #aabbcc',
    'Deep sea #0b3d5c',
  ]);
  assert.deepEqual(writePalette(change(one, keyAt(one, 1), { name: '' })), ['#ABC', '#0b3d5c']);
});

test('a list of objects stays one of objects, with all that they have', () => {
  const one = add(readPalette([{ label: 'Sun', value: '#E8B04B', use: 'light' }]), [
    { name: '', hex: '#0b3d5c' },
  ]);
  assert.deepEqual(writePalette(change(one, keyAt(one, 0), { hex: '#ffffff' })), [
    { label: 'Sun', value: '#ffffff', use: 'light' },
    { name: '', hex: '#0b3d5c' },
  ]);
});

test('colours change places, and not beyond the ends', () => {
  const palette = readPalette(['#111', '#222', '#333']);
  const [first, last] = [keyAt(palette, 0), keyAt(palette, 2)];
  assert.deepEqual(writePalette(move(palette, first, 1)), ['#222', '#111', '#333']);
  assert.deepEqual(writePalette(move(palette, last, -2)), ['#333', '#111', '#222']);
  assert.deepEqual(writePalette(move(palette, first, 9)), ['#222', '#333', '#111']);
  assert.equal(move(palette, first, -1), palette);
  assert.equal(move(palette, -5, 1), palette);
  assert.deepEqual(writePalette(remove(palette, first)), ['#222', '#333']);
});

test('no more are added than there is room for', () => {
  const colours = ['#111111', '#222222', '#333333'].map((hex) => ({ name: '', hex }));
  assert.equal(add(readPalette(['#000']), colours, 3).items.length, 3);
  assert.equal(add(readPalette(['#000', '#111']), colours, 1).items.length, 2);
});
