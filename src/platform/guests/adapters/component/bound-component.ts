import { createReader, joinSections, RefusedComponent, type Section, sectionsOf, times } from './bytes.ts';
import { boundModule, type Limits, memoriesOf, tablesOf } from './core-module.ts';
import { checkCoreName } from './core-names.ts';

const SECTION = { coreModule: 1, coreInstance: 2, component: 4 };
const COMPONENT_PREAMBLE = '0061736d0d000100';
/** Toolchains nest two or three deep. */
const MOST_DEPTH = 10;

const MOST_TABLES = 10;

const PAGES_PER_MEBIBYTE = 16;
const MOST_PAGES = 64 * PAGES_PER_MEBIBYTE;
/** For each memory but the largest, such as that of a small helper module. */
const SIDE_PAGES = 2 * PAGES_PER_MEBIBYTE;

/** Names that contain an address, which no component of the world has. They may have quotes, as names of core modules. */
const ADDRESS_NAMES = ['url=<', '-dep=<', 'integrity=<'];

/**
 * The same component with limits that the engine itself enforces: all its memories together have at most 64 MiB, if each core module
 * that defines one is instantiated once. Throws `RefusedComponent`.
 */
export function boundComponent(component: Uint8Array): Uint8Array {
  const caps = capsFor(memoriesIn(component, 0));
  if (tablesIn(component) > MOST_TABLES)
    throw new RefusedComponent(`The component has more than ${MOST_TABLES} tables`);
  const bounded = bound(component, () => caps.shift() ?? 0);
  const outside = Buffer.from(withoutModules(bounded));
  const found = ADDRESS_NAMES.find((text) => outside.includes(text));
  if (found) throw new RefusedComponent(`The component has a name with an address (${found}…>)`);
  return bounded;
}

function checkPreamble(component: Uint8Array): void {
  if (Buffer.from(component.subarray(0, 8)).toString('hex') === COMPONENT_PREAMBLE) return;
  throw new RefusedComponent('This is not a WebAssembly component (a core module has to be made one first)');
}

/** In the order in which `bound` meets them. */
function memoriesIn(component: Uint8Array, depth: number): Limits[] {
  checkPreamble(component);
  if (depth > MOST_DEPTH) throw new RefusedComponent('The component is nested too deeply');
  return sectionsOf(component).flatMap(({ id, body }) => {
    if (id === SECTION.coreModule) return memoriesOf(body);
    return id === SECTION.component ? memoriesIn(body, depth + 1) : [];
  });
}

const tablesIn = (component: Uint8Array): number =>
  sectionsOf(component).reduce((sum, { id, body }) => {
    if (id === SECTION.coreModule) return sum + tablesOf(body);
    return id === SECTION.component ? sum + tablesIn(body) : sum;
  }, 0);

/** The memory that begins largest gets what the others leave. */
function capsFor(memories: readonly Limits[]): number[] {
  const main = memories.reduce((best, { min }, at) => (min > (memories[best]?.min ?? 0) ? at : best), 0);
  const caps = memories.map(({ min, max }) => Math.min(max ?? SIDE_PAGES, Math.max(min, SIDE_PAGES)));
  const others = caps.reduce((sum, cap, at) => (at === main ? sum : sum + cap), 0);
  const left = MOST_PAGES - others;
  if ((memories[main]?.min ?? 0) > left)
    throw new RefusedComponent(
      'The component begins with more memory than 64 MiB, the most that a guest gets',
    );
  return caps.map((cap, at) => (at === main ? left : cap));
}

function bound(component: Uint8Array, nextCap: () => number): Uint8Array {
  const sections = sectionsOf(component).map(({ id, body }): Section => {
    if (id === SECTION.coreInstance) checkInstances(body);
    if (id === SECTION.coreModule) return { id, body: boundModule(body, memoriesOf(body).map(nextCap)) };
    if (id === SECTION.component) return { id, body: bound(body, nextCap) };
    return { id, body };
  });
  return joinSections(component, sections);
}

const INSTANTIATION = 0;

/** Names of arguments, and of what an instance without a module exports. */
function checkInstances(body: Uint8Array): void {
  const reader = createReader(body);
  times(reader.u32(), () => {
    if (reader.byte() === INSTANTIATION) reader.u32();
    times(reader.u32(), () => {
      checkCoreName(reader.name());
      reader.byte();
      reader.u32();
    });
  });
}

function withoutModules(component: Uint8Array): Uint8Array {
  const sections = sectionsOf(component)
    .filter(({ id }) => id !== SECTION.coreModule)
    .map(({ id, body }) => ({ id, body: id === SECTION.component ? withoutModules(body) : body }));
  return joinSections(component, sections);
}
