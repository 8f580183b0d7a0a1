import { parseWit } from './wit.mjs';

const HEAD = `// The imports and exports of a guest, as JavaScript in QuickJS sees them: made of plugin.wit, so do not edit this.
// The helper in guest.ts stands on it, and spares you the JSON.
`;

const PRIMITIVES = {
  string: 'string',
  bool: 'boolean',
  u8: 'number',
  u16: 'number',
  u32: 'number',
  _: 'void',
};

/** TypeScript for the modules that a WIT file describes: the imports have a default export, as `componentize-qjs` gives them. */
export function typesOfWit(text) {
  const { id, interfaces, imports, exports } = parseWit(text);
  const [name, version] = id.split('@');
  const modules = interfaces.map((one) => {
    if (!imports.includes(one.name) && !exports.includes(one.name))
      throw new Error(`no world has the interface ${one.name}`);
    const content = imports.includes(one.name) ? importOf(one) : exportOf(one);
    const lines = [...one.types.flatMap(typeLines), ...content];
    return [
      ...comment(one.doc),
      `declare module '${name}/${one.name}@${version}' {`,
      ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
      '}',
    ].join('\n');
  });
  return `${HEAD}\n${modules.join('\n\n')}\n`;
}

const importOf = ({ name, funcs }) => [
  `const ${camel(name)}: {`,
  ...funcs.flatMap((func) => funcLines(func, true)),
  '};',
  `export default ${camel(name)};`,
];

const exportOf = ({ name, funcs }) => [
  `export interface ${pascal(name)} {`,
  ...funcs.flatMap((func) => funcLines(func, false)),
  '}',
];

function funcLines({ name, doc, params, result }, isImport) {
  const may = result?.name === 'result' ? [thrown(isImport)] : [];
  const list = params.map((param) => `${camel(param.name)}: ${typeText(param.type)}`).join(', ');
  return indented([...comment([...doc, ...may]), `${camel(name)}(${list}): ${returned(result)};`]);
}

const thrown = (isImport) =>
  isImport
    ? 'Throws an `Error` with the reason if the host refuses.'
    : 'May throw a text: an error for the log.';

const returned = (result) => {
  if (result === null) return 'void';
  return typeText(result.name === 'result' ? result.args[0] : result);
};

function typeLines(type) {
  const name = pascal(type.name);
  if (type.kind === 'enum')
    return [
      ...comment(type.doc),
      `export type ${name} = ${type.cases.map((word) => `'${word}'`).join(' | ')};`,
    ];
  if (type.kind === 'type') return [...comment(type.doc), `export type ${name} = ${typeText(type.type)};`];
  const fields = type.fields.flatMap((field) =>
    indented([...comment(field.doc), `${camel(field.name)}: ${typeText(field.type)};`]),
  );
  return [...comment(type.doc), `export interface ${name} {`, ...fields, '}'];
}

function typeText({ name, args }) {
  const inner = args.map(typeText);
  if (name === 'option') return `${inner[0]} | null`;
  if (name === 'list') return `${args[0].name === 'option' ? `(${inner[0]})` : inner[0]}[]`;
  if (name === 'tuple') return `[${inner.join(', ')}]`;
  if (args.length > 0) throw new Error(`the type ${name} is not known here`);
  return PRIMITIVES[name] ?? pascal(name);
}

function comment(lines) {
  if (lines.length === 0) return [];
  if (lines.length === 1) return [`/** ${lines[0]} */`];
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'];
}

const indented = (lines) => lines.map((line) => `  ${line}`);

const camel = (name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(name).replace(/^\w/, (letter) => letter.toUpperCase());
