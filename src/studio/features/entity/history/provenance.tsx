import type { EntityAddress } from '../../../data/entity.ts';
import type { Sitting } from '../../../data/history.ts';
import { useProvenance } from '../../../data/proposals.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import styles from './history.module.css';
import { historyTexts } from './history-texts.ts';

interface ProvenanceProps {
  entity: EntityAddress;
  sitting: Sitting;
  /** The newest version. */
  current: number;
}

/** Names the model of text that somebody accepted, and says how much of it people changed since. */
export function Provenance({ entity, sitting, current }: ProvenanceProps) {
  const texts = useTexts(historyTexts);
  const { data = [] } = useProvenance(entity, current);
  const parts = data.filter(
    ({ version }) => version !== null && sitting.first <= version && version <= sitting.last,
  );
  const [first] = parts;
  if (!first) return <p className={styles.fields}>{texts.sources.ai}</p>;
  const words = sumOf(parts.map((part) => part.generated_words));
  const kept = sumOf(parts.map((part) => part.kept_words));
  const changed = kept === words ? 0 : Math.max(1, Math.round((1 - kept / words) * 100));
  const said = [
    texts.proposedBy(first.model ?? first.agent ?? texts.somebody),
    ...(first.skills.length > 0 ? [texts.skills(first.skills.join(', '))] : []),
    changed === 0 ? texts.keptWhole : texts.changedSince(`${changed} %`),
  ];
  return <p className={styles.fields}>{said.join(', ')}</p>;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
