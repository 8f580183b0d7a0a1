import { useWorld } from '../../data/world.tsx';
import { choiceAt, type ImportRow, inheritedChoice, type TypesByPlace } from '../../domain/import-rows.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Select } from '../../kit/ui/select.tsx';
import { importTexts } from './import-texts.ts';

interface TypeChoiceProps {
  /** A note, or a folder or table of notes. */
  place: string;
  /** Null for a folder or table. */
  row: ImportRow | null;
  types: TypesByPlace;
  onChoose: (types: TypesByPlace) => void;
}

const UNCHOSEN = '=';
const LEAVE_OUT = '-';

/** The choice of the type of a note, or of all in a folder or table. */
export function TypeChoice({ place, row, types: chosen, onChoose }: TypeChoiceProps) {
  const texts = useTexts(importTexts);
  const { types, typeOf } = useWorld();
  const own = choiceAt(chosen, place);
  const inherited = inheritedChoice(chosen, place);
  const labelOf = (type: string | null) => (type === null ? texts.leaveOut : (typeOf(type)?.label ?? type));
  const asSaid = row === null ? texts.asEachSays : texts.asItSays;
  const unchosen = inherited === undefined ? asSaid : texts.asFolder(labelOf(inherited));
  const current = row?.action === 'left_out' ? LEAVE_OUT : (row?.type ?? null);
  return (
    <Select
      label={texts.typeOf(place)}
      isLabelHidden
      placeholder={row === null ? unchosen : texts.chooseType}
      value={own === null ? LEAVE_OUT : (own ?? current)}
      onChange={(id) => onChoose({ ...chosen, [place]: choiceOf(id) })}
      options={[
        ...(own === undefined ? [] : [{ id: UNCHOSEN, label: unchosen }]),
        ...types.map(({ type, label, color }) => ({ id: type, label, color: color ?? null })),
        { id: LEAVE_OUT, label: texts.leaveOut },
      ]}
    />
  );
}

function choiceOf(id: string): string | null | undefined {
  if (id === UNCHOSEN) return undefined;
  return id === LEAVE_OUT ? null : id;
}
