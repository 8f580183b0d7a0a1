import { useWorld } from '../../data/world.tsx';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { ChoiceCard, ChoiceCards } from '../../kit/ui/choice-cards.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { ChooseTypes } from './choose-types.tsx';
import styles from './home.module.css';
import { homeTexts } from './home-texts.ts';

/** A world without entities: three ways to begin. */
export function EmptyWorld() {
  const texts = useTexts(homeTexts);
  const { project, types, can } = useWorld();
  const first = types.find(({ type }) => type === 'character') ?? types[0];
  if (!can('create_entities')) return <p className={styles.quiet}>{texts.emptyForReaders}</p>;
  return (
    <section className={styles.section}>
      <p className={styles.quiet}>{texts.emptyWhy}</p>
      {!first && (can('manage_templates') ? <ChooseTypes /> : <Notice>{texts.noTypes}</Notice>)}
      <ChoiceCards>
        {first && (
          <ChoiceCard
            href={addressOf({ screen: 'new', project, type: first.type })}
            title={texts.first(first.label)}
            why={texts.firstWhy}
          />
        )}
        <ChoiceCard
          href={addressOf({ screen: 'page', project, page: 'import' })}
          title={texts.bring}
          why={texts.bringWhy}
        />
        <ChoiceCard
          href={addressOf({ screen: 'worlds', begin: 'sample' })}
          title={texts.sample}
          why={texts.sampleWhy}
        />
      </ChoiceCards>
    </section>
  );
}
