import { folderOf } from '../../../src/world/entities/index.ts';

/** By key. No two entities share a folder. */
export type Places = ReadonlyMap<string, string>;

const isFree = (places: Places, path: string, key: string): boolean =>
  ![...places].some(([other, at]) => other !== key && folderOf(at) === folderOf(path));

/** Or a similar path in a folder that no other entity has. */
export function freePlace(places: Places, path: string, key: string): string {
  const [folder, file] = [folderOf(path), path.slice(folderOf(path).length)];
  for (let number = 1; ; number += 1) {
    const place = `${folder}${number === 1 ? '' : `-${number}`}${file}`;
    if (isFree(places, place, key)) return place;
  }
}

/** Those that can be made together, such as two that change places. */
export function possibleMoves(places: Places, moves: Places): Places {
  const possible = new Map(moves);
  for (;;) {
    const after = new Map([...places, ...possible]);
    const blocked = [...possible].find(([key, to]) => !isFree(after, to, key));
    if (blocked === undefined) return possible;
    possible.delete(blocked[0]);
  }
}
