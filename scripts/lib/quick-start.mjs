import { parseSync } from 'oxc-parser';

/** Packages of a plain HTTP server that require what TLS needs, and use it only where they are told to. */
const RARELY_SECURE = /[\\/]node_modules[\\/](fastify|ws)[\\/]/;

/**
 * Parts of Node that take long to load. An import of the first four reads all that they export, and what that needs is
 * loaded with it: with http (for its WebSocket) the whole of fetch. A require reads what is used. For the others, some
 * packages get what loads them when something of theirs is asked for.
 */
export const nodeParts = {
  name: 'node-parts',
  setup(build) {
    build.onResolve({ filter: /^(node:)?(http|util|crypto|process)$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path: nodePart(path), namespace: 'required' } : { external: true },
    );
    build.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require('${path}');`,
    }));
    build.onResolve({ filter: /^(node:)?(https|http2|tls)$/ }, ({ path, importer }) =>
      RARELY_SECURE.test(importer) ? { path: nodePart(path), namespace: 'at-use' } : { external: true },
    );
    build.onLoad({ filter: /.*/, namespace: 'at-use' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => require('${path}')[name] });`,
    }));
  },
};

const nodePart = (path) => `node:${path.replace('node:', '')}`;

/**
 * What esbuild makes of a CommonJS package is a method, which V8 compiles when it is called, at each start again. A function
 * in parentheses is compiled with its file, and kept with it in the cache.
 * @param {string} text a file of the bundle
 */
export function compiledAhead(text) {
  if (!text.includes('__commonJS')) return text;
  const parts = [];
  let at = 0;
  for (const { key, value } of packageMethods(text)) {
    parts.push(text.slice(at, key.end), ':(function', text.slice(key.end, value.end), ')');
    at = value.end;
  }
  return parts.join('') + text.slice(at);
}

/** The methods of `var require_x = __commonJS({ "path"(exports, module) { … } })`, in their order. */
const packageMethods = (text) =>
  parseSync('bundle.js', text)
    .program.body.flatMap(({ declarations = [] }) => declarations)
    .filter(({ init }) => init?.type === 'CallExpression' && init.callee.name?.startsWith('__commonJS'))
    .map(({ init }) => init.arguments[0]?.properties?.[0])
    .filter((property) => property?.method);
