import { type Change, insertLines, removeNode, type Slot, splice } from './change.ts';
import { flowInsertion, removeFlowParts } from './flow-edit.ts';
import { deepEqual, type JsonMap } from './json.ts';
import { removeBlockParts } from './remove.ts';
import { pairLines, renderFlow, renderKey } from './render.ts';
import { columnOf, nextLine } from './text.ts';
import type { MapEntry, MapNode } from './tree.ts';

type EditSlot = (change: Change, slot: Slot, next: unknown) => void;

/** Edits only the entries that differ. False, with nothing decided, if the map has to be written anew. */
export function editMap(
  change: Change,
  node: MapNode,
  next: JsonMap,
  isRoot: boolean,
  editSlot: EditSlot,
): boolean {
  const removed = node.entries.filter((entry) => !Object.hasOwn(next, entry.name));
  const names = new Set(node.entries.map((entry) => entry.name));
  const added = Object.keys(next).filter((key) => !names.has(key));
  const restructured = removed.length + added.length > 0;
  if (restructured && node.bare) return false;
  if (removed.length === node.entries.length && (!isRoot || node.flow)) return false;
  if (removed.length > 0 && !removeEntries(change, node, removed)) return false;
  for (const entry of node.entries) {
    if (!removed.includes(entry) && !deepEqual(entry.value.value, next[entry.name])) {
      editSlot(change, slotOf(change, node, entry), next[entry.name]);
    }
  }
  if (restructured) change.touched.add(node);
  insertEntries(change, node, removed, added, next, isRoot);
  return true;
}

function slotOf(change: Change, node: MapNode, entry: MapEntry): Slot {
  const column = columnOf(change.text, node.flow ? node.start : (node.entries[0]?.start ?? node.start));
  const after = entry.colon < 0 ? entry.key.end : entry.colon + 1;
  return { parent: 'map', flow: node.flow, column, after, entry, value: entry.value };
}

function removeEntries(change: Change, node: MapNode, removed: readonly MapEntry[]): boolean {
  const parts = node.entries.map((entry) => ({
    start: entry.start,
    end: entry.value.end,
    removed: removed.includes(entry),
  }));
  for (const entry of removed) {
    removeNode(change, entry.key);
    removeNode(change, entry.value);
  }
  return node.flow ? removeFlowParts(change, parts) : removeBlockParts(change, parts);
}

function insertEntries(
  change: Change,
  node: MapNode,
  removed: readonly MapEntry[],
  added: readonly string[],
  next: JsonMap,
  isRoot: boolean,
): void {
  if (added.length === 0) return;
  const { style } = change;
  if (node.flow) {
    const last = node.entries.findLast((entry) => !removed.includes(entry));
    const texts = added.map((key) => `${renderKey(key, style, 'flow')}: ${renderFlow(next[key], style)}`);
    if (last) splice(change, last.value.end, last.value.end, flowInsertion(texts));
    return;
  }
  const column = columnOf(change.text, node.entries[0]?.start ?? node.start);
  for (const [entry, keys] of placeKeys(node, added, isRoot ? change.after : {})) {
    const lines = keys.flatMap((key) => pairLines(key, next[key], column, style));
    insertLines(change, nextLine(change.text, entry.value.end), lines);
  }
}

/** Gives each new key the entry after which it is to stand: the wished one, else the last. */
function placeKeys(
  node: MapNode,
  added: readonly string[],
  after: Readonly<Record<string, string>>,
): Map<MapEntry, string[]> {
  const places = new Map<MapEntry, string[]>();
  for (const key of wishedOrder(added, after)) {
    const wish = wishOf(key, after);
    const follows = [...places].find(([, keys]) => wish !== undefined && keys.includes(wish));
    const entry =
      follows?.[0] ?? node.entries.find((candidate) => candidate.name === wish) ?? node.entries.at(-1);
    if (entry === undefined) continue;
    const keys = places.get(entry) ?? [];
    keys.splice(follows && wish !== undefined ? keys.indexOf(wish) + 1 : keys.length, 0, key);
    places.set(entry, keys);
  }
  return places;
}

/** New keys in their own order, save that one which is to stand after another new key comes after it. */
function wishedOrder(added: readonly string[], after: Readonly<Record<string, string>>): string[] {
  const order = new Set<string>();
  for (const key of added) {
    const chain: string[] = [];
    for (
      let next: string | undefined = key;
      next !== undefined && added.includes(next);
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
