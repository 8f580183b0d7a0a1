import { useRef, useState } from 'react';
import { detailOf } from '../../data/errors.ts';
import { addTypes, useStarterPacks } from '../../data/starter-types.ts';
import { useWorld } from '../../data/world.tsx';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { announce } from '../../kit/ui/live-region.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { RadioGroup } from '../../kit/ui/radio-group.tsx';
import styles from './home.module.css';
import { homeTexts } from './home-texts.ts';

/** The choice that is no pack. */
const ALL = 'all';

/** Of a world without types, in which nothing can be made: the first ones. */
export function ChooseTypes() {
  const texts = useTexts(homeTexts);
  const { project } = useWorld();
  const { data: packs = [] } = useStarterPacks(project);
  const [chosen, setChosen] = useState(ALL);
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const section = useRef<HTMLElement>(null);
  const pack = packs.find(({ pack_id }) => pack_id === chosen);

  async function add() {
    if (isPending) return;
    setPending(true);
    setFault(null);
    // This choice goes once there are types, and the focus would be nowhere.
    const page = section.current?.closest<HTMLElement>('[tabindex]');
    try {
      await addTypes(project, pack?.pack_id ?? null);
      page?.focus();
      announce(texts.typesAdded);
    } catch (error) {
      setFault(detailOf(error) ?? texts.addFailed);
    } finally {
      setPending(false);
    }
  }

  return (
    <section ref={section} className={styles.card} aria-label={texts.chooseTypes}>
      <h2 className={styles.heading}>{texts.chooseTypes}</h2>
      <p className={styles.quiet}>{texts.chooseWhy}</p>
      <RadioGroup
        label={texts.begin}
        help={pack?.description ?? texts.allTypesWhy}
        value={chosen}
        onChange={setChosen}
        options={[
          { id: ALL, label: texts.allTypes },
          ...packs.map(({ pack_id: id, name, type_count: count }) => ({
            id,
            label: texts.pack(name, count),
          })),
        ]}
      />
      {fault && <Notice tone="error">{fault}</Notice>}
      <div>
        <Button tone="primary" isPending={isPending} onPress={() => void add()}>
          {texts.addTypes}
        </Button>
      </div>
    </section>
  );
}
