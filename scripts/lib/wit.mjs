/**
 * Reads the part of WIT that our one world needs: interfaces with enums, records, aliases and functions.
 * Anything else is refused, so that nothing is lost in silence.
 */
const TOKEN = /\/\/\/[^\n]*|\/\/[^\n]*|\s+|->|[{}()<>,:;=]|%?[a-z_][a-z0-9-]*(?:[:/@][\w./@-]*)?/gy;

/** An empty line below a comment: it belongs to nothing. */
const GAP = '\n\n';

/**
 * @typedef {{ name: string, args: Type[] }} Type
 * @typedef {{ name: string, doc: string[], params: Field[], result: Type | null }} Func
 * @typedef {{ name: string, doc: string[], type: Type }} Field
 * @typedef {{ kind: 'enum', name: string, doc: string[], cases: string[] }} Enum
 * @typedef {{ kind: 'record', name: string, doc: string[], fields: Field[] }} Record
 * @typedef {{ kind: 'type', name: string, doc: string[], type: Type }} Alias
 * @typedef {{ name: string, doc: string[], types: (Enum | Record | Alias)[], funcs: Func[] }} Interface
 * @typedef {{ id: string, interfaces: Interface[], imports: string[], exports: string[] }} Wit
 */

/** @returns {Wit} `id` is the package's, such as `canonry:plugin@1.0.0`. */
export function parseWit(text) {
  const reader = createReader(text);
  const found = { id: '', interfaces: [], imports: new Set(), exports: new Set() };
  for (let doc = reader.doc(); !reader.atEnd(); doc = reader.doc()) {
    const word = reader.next();
    if (word === 'package') found.id = reader.until(';').join('');
    else if (word === 'interface') found.interfaces.push(readInterface(reader, doc));
    else if (word === 'world') readWorld(reader, found);
    else throw new Error(`'${word}' cannot begin a part of a WIT file here`);
  }
  return { ...found, imports: [...found.imports], exports: [...found.exports] };
}

function createReader(text) {
  const tokens = tokensOf(text);
  let at = 0;
  const next = () => tokens[at++] ?? '';
  return {
    next,
    atEnd: () => at >= tokens.length,
    expect(word) {
      const found = next();
      if (found !== word) throw new Error(`'${word}' is expected instead of '${found}'`);
    },
    /** True if the next token was this one. */
    took: (word) => tokens[at] === word && at++ >= 0,
    until(word) {
      const end = tokens.indexOf(word, at);
      const found = tokens.slice(at, end);
      at = end + 1;
      return found;
    },
    /** The lines of the comment right above what follows. */
    doc() {
      let lines = [];
      for (; tokens[at]?.startsWith('///') || tokens[at] === GAP; at += 1)
        lines = tokens[at] === GAP ? [] : [...lines, tokens[at].slice(3).trim()];
      return lines;
    },
  };
}

function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined)
      throw new Error(`the WIT file cannot be read from: ${text.slice(from, from + 40)}`);
    const isComment = token.startsWith('//') && !token.startsWith('///');
    if (/\n\s*\n/.test(token)) tokens.push(...(tokens.at(-1)?.startsWith('///') ? [GAP] : []));
    else if (!isComment && token.trim() !== '') tokens.push(...withoutColon(token));
  }
  return tokens;
}

/** `name:` of a field is a name and a colon, unlike `canonry:plugin@1.0.0`. */
const withoutColon = (token) => (/^[^/].*:$/.test(token) ? [token.slice(0, -1), ':'] : [token]);

function readInterface(reader, doc) {
  const read = { name: reader.next(), doc, types: [], funcs: [] };
  reader.expect('{');
  for (let own = reader.doc(); !reader.took('}'); own = reader.doc()) {
    const word = reader.next();
    if (word === 'enum') read.types.push({ kind: 'enum', doc: own, ...readEnum(reader) });
    else if (word === 'record') read.types.push({ kind: 'record', doc: own, ...readRecord(reader) });
    else if (word === 'type') read.types.push({ kind: 'type', doc: own, ...readAlias(reader) });
    else read.funcs.push({ name: plain(word), doc: own, ...readFunc(reader) });
  }
  return read;
}

/** A name that is a word of WIT is written with a sign before it. */
const plain = (name) => name.replace(/^%/, '');

function readEnum(reader) {
  const name = reader.next();
  reader.expect('{');
  return { name, cases: reader.until('}').filter((token) => token !== ',') };
}

function readRecord(reader) {
  const name = reader.next();
  reader.expect('{');
  return { name, fields: readFields(reader, '}') };
}

function readFields(reader, end) {
  const fields = [];
  for (let doc = reader.doc(); !reader.took(end); doc = reader.doc()) {
    const name = plain(reader.next());
    reader.expect(':');
    fields.push({ name, doc, type: readType(reader) });
    reader.took(',');
  }
  return fields;
}

function readAlias(reader) {
  const name = reader.next();
  reader.expect('=');
  const type = readType(reader);
  reader.expect(';');
  return { name, type };
}

function readFunc(reader) {
  reader.expect(':');
  reader.expect('func');
  reader.expect('(');
  const params = readFields(reader, ')');
  const result = reader.took('->') ? readType(reader) : null;
  reader.expect(';');
  return { params, result };
}

function readType(reader) {
  const type = { name: reader.next(), args: [] };
  if (!reader.took('<')) return type;
  while (!reader.took('>')) {
    type.args.push(readType(reader));
    reader.took(',');
  }
  return type;
}

function readWorld(reader, found) {
  reader.next();
  reader.expect('{');
  for (let word = reader.next(); word !== '}'; word = reader.next()) {
    const names = reader.until(';');
    if (word === 'import') found.imports.add(names.join(''));
    else if (word === 'export') found.exports.add(names.join(''));
    else if (word !== 'include') throw new Error(`a world with '${word}' cannot be read`);
  }
}
