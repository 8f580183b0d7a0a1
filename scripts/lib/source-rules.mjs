import { findCycles } from './cycles.mjs';
import { importsOf, lineAt } from './imports.mjs';
import { isTest, mayReadEnvironment, moduleOf, whyForbidden } from './layers.mjs';
import { forbiddenTextIn, isStudio } from './studio-layers.mjs';

const MAX_LINES = 500;
const SUPPRESSION = /@ts-(?:ignore|expect-error|nocheck)|biome-ignore|eslint-disable|c8 ignore|knip-ignore/g;
const SCOPE_BY_HAND = /\.where\(\s*'(?:tenant_id|project_id)',\s*'='/g;
const SCOPED_STORE = /^src\/(?:world|exchange)\/(?!tenant-removal\/)/;
const ENVIRONMENT = /\bprocess\.env\b|\benv\b[^\n]*from 'node:process'/g;

/**
 * Checks layers, cycles, length and suppressed warnings.
 * @param {Map<string, string>} sources path in the checkout to text
 * @returns {string[]} findings as `file:line: fault`
 */
export function checkSources(sources) {
  const findings = [];
  const graph = new Map();
  for (const [file, text] of sources) {
    const imports = importsOf(file, text);
    graph.set(
      file,
      imports.map(({ target }) => target),
    );
    findings.push(...importFindings(file, imports), ...textFindings(file, text));
  }
  return [
    ...findings,
    ...findCycles(graph).map((chain) => `${chain[0]}: import cycle: ${chain.join(' -> ')}`),
    ...findCycles(graphOfModules(graph)).map(
      (chain) => `src/${chain[0]}: modules in a circle: ${chain.join(' -> ')}`,
    ),
  ];
}

function graphOfModules(graph) {
  const modules = new Map();
  for (const [file, targets] of graph) {
    const from = isTest(file) ? undefined : moduleOf(file);
    if (!from) continue;
    const others = targets.map(moduleOf).filter((to) => to && to !== from);
    modules.set(from, [...new Set([...(modules.get(from) ?? []), ...others])]);
  }
  return modules;
}

function importFindings(file, imports) {
  return imports.flatMap(({ target, line, isType }) => {
    const reason = whyForbidden(file, target, isType);
    return reason ? [`${file}:${line}: imports ${target}: ${reason}`] : [];
  });
}

function textFindings(file, text) {
  const lines = text.split('\n').length - 1;
  return [
    ...(lines > MAX_LINES ? [`${file}:${MAX_LINES}: ${lines} lines, at most ${MAX_LINES}: split it`] : []),
    ...matches(file, text, SUPPRESSION, 'suppresses a warning: fix its cause'),
    ...(SCOPED_STORE.test(file) && !isTest(file)
      ? matches(file, text, SCOPE_BY_HAND, 'use inProject or inTenant (platform/database/scoped.ts)')
      : []),
    ...(isStudio(file) && !isTest(file)
      ? forbiddenTextIn(file).flatMap(([pattern, reason]) => matches(file, text, pattern, reason))
      : []),
    ...(mayReadEnvironment(file)
      ? []
      : matches(file, text, ENVIRONMENT, 'only src/kit/config and src/main.ts read the environment')),
  ];
}

function matches(file, text, pattern, message) {
  return [...text.matchAll(pattern)].map((match) => `${file}:${lineAt(text, match.index)}: ${message}`);
}
