import { useMemo, useState } from 'react';
import { useFieldWords } from '../../data/field-words.ts';
import { useWorld } from '../../data/world.tsx';
import { bothOf, type Dispute } from '../../domain/conflict-merge.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { MergeChoice } from '../../kit/ui/merge-choice.tsx';
import { conflictsTexts } from './conflicts-texts.ts';

export interface SideNames {
  mine: string;
  theirs: string;
}

interface DisputeChoiceProps {
  type: string;
  dispute: Dispute;
  names: SideNames;
  onChoose: (value: unknown) => void;
}

const OWN = 'own';

export function DisputeChoice({ type, dispute, names, onChoose }: DisputeChoiceProps) {
  const texts = useTexts(conflictsTexts);
  const { project } = useWorld();
  const types = useMemo(() => [type], [type]);
  const { labelOf, textOf } = useFieldWords(project, types);
  const [chosen, setChosen] = useState<string | null>(null);
  const [own, setOwn] = useState(typeof dispute.mine === 'string' ? dispute.mine : '');
  const both = bothOf(dispute);
  const isText = typeof dispute.mine === 'string' || typeof dispute.theirs === 'string';
  const inWords = (value: unknown) => textOf(type, dispute.field, value) || texts.nothing;
  const values: Readonly<Record<string, unknown>> = {
    mine: dispute.mine,
    theirs: dispute.theirs,
    both,
    [OWN]: own,
  };
  return (
    <MergeChoice
      label={labelOf(type, dispute.field)}
      base={{ label: texts.base, value: inWords(dispute.base) }}
      options={[
        { id: 'mine', label: names.mine, value: inWords(dispute.mine) },
        { id: 'theirs', label: names.theirs, value: inWords(dispute.theirs) },
        ...(both === undefined ? [] : [{ id: 'both', label: texts.both, value: inWords(both) }]),
        ...(isText ? [{ id: OWN, label: texts.own, value: '' }] : []),
      ]}
      chosen={chosen}
      onChoose={(id) => {
        setChosen(id);
        onChoose(values[id]);
      }}
      own={
        chosen === OWN
          ? {
              label: texts.ownText,
              value: own,
              onChange: (text) => {
                setOwn(text);
                onChoose(text);
              },
            }
          : null
      }
    />
  );
}
