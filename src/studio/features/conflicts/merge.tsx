import { useMemo, useState } from 'react';
import { mergeText } from '../../../content/merge/text.ts';
import type { Conflict, Resolve } from '../../data/conflicts.ts';
import { detailOf } from '../../data/errors.ts';
import { usePersonName } from '../../data/people.ts';
import { useWorld } from '../../data/world.tsx';
import { disputesOf, settledFields, sidesOf } from '../../domain/conflict-merge.ts';
import { addressOf } from '../../domain/places.ts';
import { MergeView } from '../../kit/editor/merge-view.tsx';
import { useLanguage, useTexts } from '../../kit/i18n/texts.ts';
import { goTo } from '../../kit/router/router.ts';
import { Button } from '../../kit/ui/button.tsx';
import { announce } from '../../kit/ui/live-region.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import styles from './conflicts.module.css';
import { conflictsTexts } from './conflicts-texts.ts';
import { DisputeChoice, type SideNames } from './dispute-choice.tsx';

export function Merge({ conflict, resolve }: { conflict: Conflict; resolve: Resolve }) {
  const texts = useTexts(conflictsTexts);
  const { project, can } = useWorld();
  const sides = useMemo(() => sidesOf(conflict), [conflict]);
  const disputes = useMemo(() => disputesOf(sides), [sides]);
  const [chosen, setChosen] = useState<ReadonlyMap<string, unknown>>(new Map());
  const [text, setText] = useState<string | null>(null);
  const names = useSideNames(conflict);
  const open = disputes.filter(({ field }) => !chosen.has(field)).length;
  const hasText = conflict.conflicting_fields.includes('markdown_body');

  const bodies = {
    base: sides.base?.markdown_body ?? '',
    mine: sides.mine.markdown_body,
    theirs: sides.theirs.markdown_body,
  };
  const settle = () => {
    const begun = () => mergeText(bodies.base, bodies.mine, bodies.theirs).text;
    resolve.mutate(
      {
        fields: settledFields(sides, conflict.conflicting_fields, chosen),
        markdown_body: hasText ? (text ?? begun()) : undefined,
      },
      {
        onSuccess: ({ entity }) => {
          announce(texts.settled);
          goTo(addressOf({ screen: 'entity', project, type: entity.entity_type, id: entity.entity_id }));
        },
      },
    );
  };

  return (
    <>
      {disputes.map((dispute) => (
        <DisputeChoice
          key={dispute.field}
          type={conflict.entity_type}
          dispute={dispute}
          names={names}
          onChoose={(value) => setChosen((before) => new Map(before).set(dispute.field, value))}
        />
      ))}
      {hasText && <TextMerge bodies={bodies} names={names} onChange={setText} />}
      {resolve.error && <Notice tone="error">{detailOf(resolve.error) ?? texts.notSettled}</Notice>}
      <div className={styles.end}>
        {can('edit_entities') ? (
          <Button
            tone="primary"
            size="l"
            isDisabled={open > 0}
            isPending={resolve.isPending}
            onPress={settle}
          >
            {texts.save}
          </Button>
        ) : (
          <p>{texts.viewer}</p>
        )}
        {open > 0 && <p className={styles.quiet}>{texts.open(open)}</p>}
      </div>
    </>
  );
}

/** The person who looks at the conflict need not be the one who saved. */
function useSideNames({ local, remote, pushed }: Conflict): SideNames {
  const texts = useTexts(conflictsTexts);
  const { me } = useWorld();
  const [mine, theirs] = pushed ? [local, remote] : [remote, local];
  const [mineBy, theirsBy] = [usePersonName(mine.updated_by), usePersonName(theirs.updated_by)];
  return {
    mine: mine.updated_by === me.user_id ? texts.yours : (mineBy ?? texts.yours),
    theirs: theirs.updated_by === mine.updated_by ? texts.theirs : (theirsBy ?? texts.theirs),
  };
}

interface TextMergeProps {
  bodies: { base: string; mine: string; theirs: string };
  names: SideNames;
  onChange: (text: string) => void;
}

function TextMerge({ bodies, names, onChange }: TextMergeProps) {
  const texts = useTexts(conflictsTexts);
  const language = useLanguage();
  return (
    <section className={styles.text}>
      <h2>{texts.text}</h2>
      <p className={styles.quiet}>{texts.textWhy}</p>
      <MergeView
        texts={bodies}
        language={language}
        messages={{
          mine: texts.result,
          theirs: names.theirs,
          base: texts.common,
          differences: texts.differences,
          next: texts.next,
          previous: texts.previous,
          takeOther: texts.takeOther,
          takeBoth: texts.takeBoth,
        }}
        onChange={onChange}
      />
    </section>
  );
}
