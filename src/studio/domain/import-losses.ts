interface ReportedNote {
  action: string;
  kept_aside: readonly unknown[];
  refused: readonly unknown[];
  links: { unresolved: readonly unknown[] };
}

/** The number of parts of a note that found no place of their own; a note that is not taken counts as one. */
export const leftOvers = ({ action, kept_aside, refused, links }: ReportedNote): number =>
  kept_aside.length + refused.length + links.unresolved.length + (action === 'refuse' ? 1 : 0);
