import { createVaultPaths } from './vault-paths.ts';

export interface Target {
  entity_type: string;
  entity_id: string;
}

export type Found = Target | 'ambiguous' | undefined;

/** By id, name, aliases, and the paths of imported notes. */
export interface Targets {
  add(target: Target, names: Iterable<string>): void;
  /** The file becomes an entity. */
  addNote(target: Target, path: string): void;
  /** As seen from the note at this path. */
  seenFrom(notePath: string): Finder;
}

export interface Finder {
  /**
   * By `Mira`, `mira_vale`, `character:mira_vale` or `People/Mira.md`, of the wanted type if one is given; `ambiguous` if
   * several have that name.
   */
  find(text: string, type?: string): Found;
  /** By a markdown link's address. */
  findAddress(address: string): Found;
}

const NOTE = /\.(?:md|markdown|txt)$/i;

const normal = (name: string): string => name.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

export const isPath = (text: string): boolean => text.includes('/') || NOTE.test(text);

export function createTargets(): Targets {
  const byName = new Map<string, Target[]>();
  const notes = createVaultPaths<Target>();

  const named = (name: string, type: string | undefined): Found => {
    const found = (byName.get(normal(name)) ?? []).filter((target) => isOfType(target, type));
    return found.length > 1 ? 'ambiguous' : found[0];
  };
  const at = (path: string, notePath: string, kind: 'wiki' | 'markdown', type?: string): Found => {
    const found = notes.find(path.replace(NOTE, ''), notePath, kind);
    return found === 'ambiguous' || found === undefined || isOfType(found, type) ? found : undefined;
  };

  return {
    add(target, names) {
      for (const name of new Set([...names].map(normal))) {
        if (name === '') continue;
        const known = byName.get(name);
        if (known === undefined) byName.set(name, [target]);
        else if (!known.some((other) => isSame(other, target))) known.push(target);
      }
    },
    addNote: (target, path) => notes.add(path.replace(NOTE, ''), target),
    seenFrom: (notePath) => ({
      find(text, type) {
        const typed = /^([a-z0-9][a-z0-9_]*):(.+)$/.exec(text.trim());
        if (typed?.[1] !== undefined && typed[2] !== undefined && (type === undefined || type === typed[1])) {
          const found = named(typed[2], typed[1]);
          if (found !== undefined) return found;
        }
        return named(text, type) ?? (isPath(text) ? at(text.trim(), notePath, 'wiki', type) : undefined);
      },
      findAddress: (address) => (NOTE.test(address) ? at(address, notePath, 'markdown') : undefined),
    }),
  };
}

const isOfType = ({ entity_type }: Target, type: string | undefined): boolean =>
  type === undefined || type === entity_type;

const isSame = (left: Target, right: Target): boolean =>
  left.entity_type === right.entity_type && left.entity_id === right.entity_id;
