/** Reads a value that a guest gave: what its types are is its own declaration. */
export type Shape<Value> = (value: unknown, at: string) => Value;

export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

const wrong = (at: string, wanted: string): never => {
  throw new ShapeError(`${at} is not ${wanted}`);
};

export const text: Shape<string> = (value, at) => (typeof value === 'string' ? value : wrong(at, 'a text'));

export const count: Shape<number> = (value, at) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : wrong(at, 'a count');

export const nothing: Shape<null> = (value, at) => (value == null ? null : wrong(at, 'empty'));

export const oneOf =
  <Word extends string>(words: readonly Word[]): Shape<Word> =>
  (value, at) =>
    words.find((word) => word === value) ?? wrong(at, `one of ${words.join(', ')}`);

export const optional =
  <Value>(shape: Shape<Value>): Shape<Value | null> =>
  (value, at) =>
    value == null ? null : shape(value, at);

export const listOf =
  <Value>(shape: Shape<Value>): Shape<Value[]> =>
  (value, at) =>
    Array.isArray(value) ? value.map((item, index) => shape(item, `${at}[${index}]`)) : wrong(at, 'a list');

export const pair =
  <First, Second>(first: Shape<First>, second: Shape<Second>): Shape<[First, Second]> =>
  (value, at) =>
    Array.isArray(value) && value.length === 2
      ? [first(value[0], `${at}[0]`), second(value[1], `${at}[1]`)]
      : wrong(at, 'a pair');

type Shapes<Record> = { [Name in keyof Record]: Shape<Record[Name]> };

export const record =
  <Value extends object>(shapes: Shapes<Value>): Shape<Value> =>
  (value, at) => {
    if (typeof value !== 'object' || value === null) return wrong(at, 'a record');
    const given = new Map(Object.entries(value));
    const read = Object.entries<Shape<unknown>>(shapes).map(([name, shape]) => [
      name,
      shape(given.get(name), `${at}.${name}`),
    ]);
    return Object.fromEntries(read);
  };
