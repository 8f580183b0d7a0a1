import type { ImportReport } from '../../data/import.ts';
import { untypedPlaces } from '../../domain/import-rows.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Badge, type BadgeTone } from '../../kit/ui/badge.tsx';
import styles from './import.module.css';
import { importTexts } from './import-texts.ts';

const TONES = {
  create: 'success',
  merge: 'info',
  replace: 'info',
  skip: 'neutral',
  refuse: 'warning',
} as const satisfies Record<string, BadgeTone>;

const ACTIONS = ['create', 'merge', 'replace', 'skip', 'refuse'] as const;

export function ImportTotals({ report }: { report: ImportReport }) {
  const texts = useTexts(importTexts);
  const { totals } = report;
  const untyped = untypedPlaces(report).length;
  return (
    <p className={styles.totals} role="status">
      {ACTIONS.filter((action) => totals.notes[action] > 0).map((action) => (
        <Badge key={action} tone={TONES[action]}>
          {texts.totals[action](totals.notes[action])}
        </Badge>
      ))}
      {untyped > 0 && <Badge tone="warning">{texts.totals.no_type(untyped)}</Badge>}
    </p>
  );
}
