const MOST_ALIASES = 50;
const LONGEST_ALIAS = 200;

/** An entity's other names, by its field `aliases`; files may hold anything there. */
export const aliasesOf = (field: unknown): string[] =>
  [field]
    .flat()
    .flatMap((alias) => (typeof alias === 'string' ? alias.trim() : []))
    .filter((alias) => alias !== '' && alias.length <= LONGEST_ALIAS)
    .slice(0, MOST_ALIASES);
