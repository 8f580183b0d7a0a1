import { IMPORT_MODES, type ImportReport } from '../../data/import.ts';
import type { Picked } from '../../data/picked-files.ts';
import { useWorld } from '../../data/world.tsx';
import { useTexts } from '../../kit/i18n/texts.ts';
import { ProgressBar } from '../../kit/ui/progress-bar.tsx';
import { Select } from '../../kit/ui/select.tsx';
import styles from './import.module.css';
import { ImportBar } from './import-bar.tsx';
import { importTexts } from './import-texts.ts';
import { NoteList } from './note-list.tsx';
import type { ImportRun } from './use-import.ts';

interface ImportPreviewProps {
  run: ImportRun;
  picked: Picked;
  /** Null while the first is on its way. */
  report: ImportReport | null;
  isCurrent: boolean;
}

const NO_TYPE = '-';

/** Note by note what would become of it, and the choices that change it. */
export function ImportPreview({ run, picked, report, isCurrent }: ImportPreviewProps) {
  const texts = useTexts(importTexts);
  const { types } = useWorld();
  const { choices, choose, fault } = run;
  return (
    <>
      <p className={styles.picked} dir="auto">
        {texts.picked(picked.name, picked.files)}
      </p>
      <div className={styles.choices}>
        <Select
          label={texts.defaultType}
          placeholder={texts.noDefault}
          value={choices.defaultType ?? NO_TYPE}
          onChange={(id) => choose({ ...choices, defaultType: id === NO_TYPE ? null : id })}
          options={[
            { id: NO_TYPE, label: texts.noDefault },
            ...types.map(({ type, label, color }) => ({ id: type, label, color: color ?? null })),
          ]}
        />
        <Select
          label={texts.mode}
          placeholder={texts.modes.skip}
          value={choices.mode}
          onChange={(id) => choose({ ...choices, mode: IMPORT_MODES.find((one) => one === id) ?? 'skip' })}
          options={IMPORT_MODES.map((id) => ({ id, label: texts.modes[id] }))}
        />
      </div>
      {!report && fault === null && <ProgressBar label={texts.previewing} share={null} />}
      <ImportBar run={run} report={report} isCurrent={isCurrent} />
      {report && (
        <NoteList
          report={report}
          isLossesFirst={false}
          choice={{ types: choices.types, onChoose: (next) => choose({ ...choices, types: next }) }}
        />
      )}
    </>
  );
}
