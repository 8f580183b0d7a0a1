import { mergeText } from '../../content/merge/text.ts';

export interface ConflictingTexts {
  base: string;
  mine: string;
  theirs: string;
}

/** The ways to settle the lines that both changed. Each text contains the lines that only one of them changed. */
export interface TextChoices {
  mine: string;
  theirs: string;
  /** Mine above theirs. */
  both: string;
  /** The lines that both changed; `line` is the first one in mine. */
  places: { line: number; mine: string; theirs: string }[];
}

export function textChoices({ base, mine, theirs }: ConflictingTexts): TextChoices {
  const settled = (choose: (local: string, remote: string) => string) =>
    mergeText(base, mine, theirs, ({ local, remote }) => choose(local, remote)).text;
  const { conflicts } = mergeText(base, mine, theirs);
  return {
    mine: settled((local) => local),
    theirs: settled((_, remote) => remote),
    both: settled((local, remote) => [local, remote].filter((text) => text !== '').join('\n')),
    places: conflicts.map(({ line, local, remote }) => ({ line, mine: local, theirs: remote })),
  };
}
