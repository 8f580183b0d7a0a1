import type { FieldWords } from '../../../data/field-words.ts';
import { wordsOfChange } from '../../../domain/field-differences.ts';
import { markWords } from '../../../domain/word-marks.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Badge } from '../../../kit/ui/badge.tsx';
import { ChangePair } from '../../../kit/ui/change-pair.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import type { ProposedPart } from './parts.ts';
import styles from './proposal.module.css';
import { proposalTexts } from './proposal-texts.ts';

interface PartListProps {
  type: string;
  parts: readonly ProposedPart[];
  words: FieldWords;
  isChosen: (part: ProposedPart) => boolean;
  onChoose: (part: ProposedPart, isChosen: boolean) => void;
}

export function PartList({ type, parts, words, isChosen, onChoose }: PartListProps) {
  const texts = useTexts(proposalTexts);
  return (
    <ul className={styles.parts}>
      {parts.map((part) => {
        const label = part.kind === 'field' ? words.labelOf(type, part.name) : texts.line(part.line);
        return (
          <li key={part.key} className={styles.part}>
            {part.state === 'open' ? (
              <Checkbox label={label} isChecked={isChosen(part)} onChange={(is) => onChoose(part, is)} />
            ) : (
              <p>
                <strong dir="auto">{label}</strong> <Badge>{texts.states[part.state]}</Badge>
              </p>
            )}
            <ChangePair {...marksOf(part, type, words)} nothing={texts.nothing} />
          </li>
        );
      })}
    </ul>
  );
}

function marksOf(part: ProposedPart, type: string, words: FieldWords) {
  const said =
    part.kind === 'hunk' ? part : wordsOfChange(part, (value) => words.textOf(type, part.name, value));
  return markWords(said.before, said.after);
}
