import type { JsonMap } from '../../text/json.ts';
import { type Change, insertLines, removeNode, type Slot, splice } from './change.ts';
import { flowInsertion, removeFlowParts } from './flow-edit.ts';
import { removeBlockParts } from './remove.ts';
import { pairLines, renderFlow, renderKey } from './render.ts';
import { columnOf, nextLine } from './text.ts';
import type { MapEntry, MapNode } from './tree.ts';

type EditSlot = (change: Change, slot: Slot, next: unknown) => void;

/** Only the entries that differ. False, with nothing decided, if the map must be rewritten. */
export function editMap(
  change: Change,
  node: MapNode,
  next: JsonMap,
  isRoot: boolean,
  editSlot: EditSlot,
): boolean {
  const kept = node.entries.filter((entry) => Object.hasOwn(next, entry.name));
  const names = new Set(node.entries.map((entry) => entry.name));
  const added = Object.keys(next).filter((key) => !names.has(key));
  const restructured = kept.length < node.entries.length || added.length > 0;
  if (restructured && node.bare) return false;
  if (kept.length === 0 && (!isRoot || node.flow)) return false;
  if (restructured) change.touched.add(node);
  removeEntries(change, node, next);
  const column = node.flow ? 0 : columnOf(change.text, node.entries[0]?.start ?? node.start);
  for (const entry of kept) editSlot(change, slotOf(node, entry, column), next[entry.name]);
  if (node.flow) appendInFlow(change, kept, added, next);
  else insertInBlock(change, node, column, placeKeys(node, added, isRoot ? change.after : {}), next);
  return true;
}

function slotOf(node: MapNode, entry: MapEntry, column: number): Slot {
  const after = entry.colon < 0 ? entry.key.end : entry.colon + 1;
  return { parent: 'map', flow: node.flow, column, after, entry, value: entry.value };
}

function removeEntries(change: Change, node: MapNode, next: JsonMap): void {
  const parts = node.entries.map((entry) => ({
    start: entry.start,
    end: entry.value.end,
    removed: !Object.hasOwn(next, entry.name),
  }));
  node.entries.forEach(({ key, value }, index) => {
    if (!parts[index]?.removed) return;
    removeNode(change, key);
    removeNode(change, value);
  });
  if (node.flow) removeFlowParts(change, parts);
  else removeBlockParts(change, parts);
}

function appendInFlow(
  change: Change,
  kept: readonly MapEntry[],
  added: readonly string[],
  next: JsonMap,
): void {
  const end = kept.at(-1)?.value.end;
  const { style } = change;
  const texts = added.map((key) => `${renderKey(key, style, 'flow')}: ${renderFlow(next[key], style)}`);
  if (end !== undefined) splice(change, end, end, flowInsertion(texts));
}

function insertInBlock(
  change: Change,
  node: MapNode,
  column: number,
  places: Map<MapEntry, string[]>,
  next: JsonMap,
): void {
  for (const entry of node.entries) {
    const lines = places.get(entry)?.flatMap((key) => pairLines(key, next[key], column, change.style));
    if (lines) insertLines(change, nextLine(change.text, entry.value.end), lines);
  }
}

/** The wished entry, else the last. */
function placeKeys(
  node: MapNode,
  added: readonly string[],
  after: Readonly<Record<string, string>>,
): Map<MapEntry, string[]> {
  const places = new Map<MapEntry, string[]>();
  const last = node.entries.at(-1);
  for (const key of wishedOrder(added, after)) {
    const wish = wishOf(key, after);
    const entry = wish === undefined ? last : (entryFor(node, places, wish) ?? last);
    if (entry === undefined) continue;
    const keys = places.get(entry) ?? [];
    const index = wish === undefined ? -1 : keys.indexOf(wish);
    keys.splice(index < 0 ? keys.length : index + 1, 0, key);
    places.set(entry, keys);
  }
  return places;
}

function entryFor(node: MapNode, places: Map<MapEntry, string[]>, wish: string): MapEntry | undefined {
  const written = node.entries.find((entry) => entry.name === wish);
  return written ?? [...places].find(([, keys]) => keys.includes(wish))?.[0];
}

/** In their own order, except that a key after another new key follows it. */
function wishedOrder(added: readonly string[], after: Readonly<Record<string, string>>): string[] {
  const fresh = new Set(added);
  const order = new Set<string>();
  for (const key of added) {
    const chain: string[] = [];
    for (
      let next: string | undefined = key;
      next !== undefined && fresh.has(next);
      next = wishOf(next, after)
    ) {
      if (chain.includes(next)) break;
      chain.unshift(next);
    }
    for (const next of chain) order.add(next);
  }
  return [...order];
}

function wishOf(key: string, after: Readonly<Record<string, string>>): string | undefined {
  return Object.hasOwn(after, key) ? after[key] : undefined;
}
