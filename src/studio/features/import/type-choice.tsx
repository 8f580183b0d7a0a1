import { useWorld } from '../../data/world.tsx';
import type { ImportRow } from '../../domain/import-rows.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Select } from '../../kit/ui/select.tsx';
import { importTexts } from './import-texts.ts';

interface TypeChoiceProps {
  /** A note, or a folder or table of notes. */
  place: string;
  /** Null for a folder or table. */
  row: ImportRow | null;
  /** The user's choice: a type, null to leave it out, undefined for none. */
  chosen: string | null | undefined;
  onChoose: (chosen: string | null | undefined) => void;
}

const AS_SAID = '=';
const LEAVE_OUT = '-';

/** The choice of the type of a note, or of all in a folder or table. */
export function TypeChoice({ place, row, chosen, onChoose }: TypeChoiceProps) {
  const texts = useTexts(importTexts);
  const { types } = useWorld();
  const asSaid = row === null ? texts.asEachSays : texts.asItSays;
  const current = row?.action === 'left_out' ? LEAVE_OUT : (row?.type ?? null);
  return (
    <Select
      label={texts.typeOf(place)}
      isLabelHidden
      placeholder={row === null ? asSaid : texts.chooseType}
      value={chosen === null ? LEAVE_OUT : (chosen ?? current)}
      onChange={(id) => onChoose(id === AS_SAID ? undefined : id === LEAVE_OUT ? null : id)}
      options={[
        ...(chosen === undefined ? [] : [{ id: AS_SAID, label: asSaid }]),
        ...types.map(({ type, label, color }) => ({ id: type, label, color: color ?? null })),
        { id: LEAVE_OUT, label: texts.leaveOut },
      ]}
    />
  );
}
