import { usePersonName } from '../../../data/people.ts';
import { usePluginUsage } from '../../../data/plugins/did.ts';
import { useWorld } from '../../../data/world.tsx';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { shownMoment } from '../../../kit/i18n/format.ts';
import { shownBytes } from '../../../kit/i18n/measures.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Fact } from './fact.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';

/** Where it came from, and how much room it takes. */
export function PluginFacts({ plugin }: { plugin: Plugin }) {
  const texts = useTexts(manageTexts);
  const { project } = useWorld();
  const { id, trust_tier: trust, installed_at: at, installed_by: by } = plugin;
  const { data } = usePluginUsage(project, id);
  const name = usePersonName(by) ?? texts.somebody;
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{texts.facts}</h2>
      <dl className={styles.facts}>
        <Fact name={texts.id}>{id}</Fact>
        <Fact name={texts.trust}>{texts.trustOf(trust)}</Fact>
        <Fact name={texts.installedAt}>
          {at === null ? texts.byHand : texts.installedBy(name, shownMoment(at))}
        </Fact>
        {data && (
          <>
            <Fact name={texts.files}>{shownBytes(data.file_bytes)}</Fact>
            <Fact name={texts.records}>{texts.stored(data.records, shownBytes(data.record_bytes))}</Fact>
            <Fact name={texts.values}>{texts.stored(data.values, shownBytes(data.value_bytes))}</Fact>
          </>
        )}
      </dl>
    </section>
  );
}
