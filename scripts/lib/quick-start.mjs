import { parseSync } from 'oxc-parser';

/** Packages of a plain HTTP server that require TLS but use it only if configured. */
const RARELY_SECURE = /[\\/]node_modules[\\/](fastify|ws)[\\/]/;

/**
 * Parts of Node that take long to load. Importing one of the first four reads all of its exports and loads whatever they
 * need: with http (for its WebSocket) the whole of fetch. A require reads only the exports used. The others are replaced
 * by proxies in some packages, which load them on first use.
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
 * Puts the functions of CommonJS packages in parentheses. esbuild makes them methods, which V8 compiles when
 * they are called, again at each start; a function in parentheses is compiled with its file and cached with
 * it.
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

/** In their order. */
const packageMethods = (text) =>
  parseSync('bundle.js', text)
    .program.body.flatMap(({ declarations = [] }) => declarations)
    .filter(({ init }) => init?.type === 'CallExpression' && init.callee.name?.startsWith('__commonJS'))
    .map(({ init }) => init.arguments[0]?.properties?.[0])
    .filter((property) => property?.method);
