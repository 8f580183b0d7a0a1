import { useState } from 'react';
import { type DiscardedDraft, useDiscarded } from '../../data/discarded-drafts.ts';
import { useWorld } from '../../data/world.tsx';
import { type Draft, partOf } from '../../domain/drafts/draft.ts';
import { addressOf } from '../../domain/places.ts';
import { shownAgo, shownMoment } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { goTo } from '../../kit/router/router.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import { showToast } from '../../kit/ui/toasts.tsx';
import { DiscardedSheet } from './discarded-sheet.tsx';
import styles from './recycle-bin.module.css';
import { recycleBinTexts } from './recycle-bin-texts.ts';

/** The changes that the user discarded, or that gave way to somebody else's; nothing where there are none. */
export function DiscardedDrafts() {
  const texts = useTexts(recycleBinTexts);
  const { project, typeOf } = useWorld();
  const { drafts, restore } = useDiscarded(project);
  const [shown, setShown] = useState<DiscardedDraft | null>(null);
  if (drafts.length === 0) return null;

  async function bringBack(discarded: DiscardedDraft) {
    const { type, id } = discarded.draft.key;
    if (await restore(discarded)) goTo(addressOf({ screen: 'entity', project, type, id }));
    else showToast({ tone: 'error', text: texts.noRoom });
  }

  return (
    <section className={styles.discarded}>
      <h2>{texts.discardedTitle}</h2>
      <p className={styles.count}>{texts.discardedWhy}</p>
      <ul className={styles.list}>
        {drafts.map((discarded) => {
          const { draft, discarded_at: at } = discarded;
          const type = typeOf(draft.key.type);
          const name = nameOf(draft) || texts.unnamed;
          return (
            <li key={`${draft.key.type}/${draft.key.id}/${at}`} className={styles.item}>
              <ColorMark color={type?.color} />
              <div className={styles.what}>
                <div className={styles.name} dir="auto">
                  {name}
                </div>
                <div className={styles.detail}>
                  <span dir="auto">{type?.label ?? draft.key.type}</span>
                  <time dateTime={new Date(at).toISOString()} title={shownMoment(at)}>
                    {texts.discardedAt(shownAgo(at))}
                  </time>
                </div>
              </div>
              <div className={styles.actions}>
                <Button size="s" label={texts.lookAt(name)} onPress={() => setShown(discarded)}>
                  {texts.look}
                </Button>
                <Button size="s" label={texts.bringBackNamed(name)} onPress={() => void bringBack(discarded)}>
                  {texts.bringBack}
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      {shown && (
        <DiscardedSheet
          draft={shown.draft}
          title={nameOf(shown.draft) || texts.unnamed}
          onBringBack={() => void bringBack(shown)}
          onClose={() => setShown(null)}
        />
      )}
    </section>
  );
}

const nameOf = (draft: Draft): string => String(partOf(draft, 'name') ?? '');
