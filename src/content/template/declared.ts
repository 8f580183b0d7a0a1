import type { FieldType, ItemType } from './types.ts';

/** For the words of explicit `fields:` entries. */
const WORDS: Readonly<Record<FieldType, string>> = {
  string:
    'string str text textarea markdown date datetime time color colour url email select enum radio image asset file id reference entity',
  number: 'number float decimal double integer int year range',
  boolean: 'boolean bool toggle checkbox flag',
  array: 'array list tags multiselect multi_select references entities colors colours',
  object: 'object map mapping dict record',
};

const TYPE_OF_WORD: ReadonlyMap<string, FieldType> = new Map(
  Object.entries(WORDS).flatMap(([type, words]) => words.split(' ').map((word) => [word, type as FieldType])),
);

export interface DeclaredType {
  type: FieldType;
  items?: ItemType;
  /** From `string?` or `nullable string`. */
  nullable: boolean;
}

/** A word, `string[]`, `list of numbers`, `array<string>` or `string?`; undefined for an unknown type. */
export function readDeclaredType(declared: string): DeclaredType | undefined {
  const text = declared.trim().toLowerCase();
  const nullable = text.endsWith('?') || text.startsWith('nullable ');
  const bare = text.replace(/\?$/, '').replace(/^nullable /, '');
  const list = /^(?:array|list) ?(?:of (\w+)|<(\w+)>)$|^(\w+)\[\]$/.exec(bare);
  if (list !== null) {
    const word = list[1] ?? list[2] ?? list[3] ?? '';
    const items = TYPE_OF_WORD.get(word) ?? TYPE_OF_WORD.get(word.replace(/s$/, ''));
    return items === undefined ? undefined : { type: 'array', items, nullable };
  }
  const type = TYPE_OF_WORD.get(bare);
  return type === undefined ? undefined : { type, nullable };
}

/** If true, only its options are allowed. */
export function isClosedChoice(declared: string | undefined): boolean {
  return declared === 'select' || declared === 'enum' || declared === 'radio';
}

export function isInteger(declared: string | undefined): boolean {
  return declared === 'integer' || declared === 'int';
}
