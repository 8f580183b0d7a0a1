/** An entity that links and references may mean. */
export interface Target {
  entity_type: string;
  entity_id: string;
}

/** Entities by what notes call them: id, name, aliases, file. */
export interface Targets {
  add(target: Target, names: Iterable<string>): void;
  /**
   * The entity that a text names (`Mira`, `mira_vale`, `character:mira_vale`, `People/Mira.md`), of the wanted type if
   * one is given; `ambiguous` when several have that name.
   */
  find(text: string, type?: string): Target | 'ambiguous' | undefined;
}

const normal = (name: string): string =>
  name.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').replace(/\.md$/, '').trim();

export function createTargets(): Targets {
  const byName = new Map<string, Target[]>();

  const lookUp = (name: string, type: string | undefined): Target | 'ambiguous' | undefined => {
    const found = (byName.get(normal(name)) ?? []).filter(
      (target) => type === undefined || target.entity_type === type,
    );
    return found.length > 1 ? 'ambiguous' : found[0];
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
    find(text, type) {
      const typed = /^([a-z][a-z0-9_]*):(.+)$/.exec(text.trim());
      if (typed?.[1] !== undefined && typed[2] !== undefined && (type === undefined || type === typed[1])) {
        const found = lookUp(typed[2], typed[1]);
        if (found !== undefined) return found;
      }
      const found = lookUp(text, type);
      // A path from somewhere else in the vault still ends in the note's name.
      return found ?? (text.includes('/') ? lookUp(text.slice(text.lastIndexOf('/') + 1), type) : undefined);
    },
  };
}

const isSame = (left: Target, right: Target): boolean =>
  left.entity_type === right.entity_type && left.entity_id === right.entity_id;
