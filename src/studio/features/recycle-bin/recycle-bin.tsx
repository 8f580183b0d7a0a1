import { useState } from 'react';
import { searchableText } from '../../../content/search-text.ts';
import { detailOf } from '../../data/errors.ts';
import {
  emptyBin,
  purgeRecycled,
  type RecycledItem,
  restoreRecycled,
  useRecycled,
} from '../../data/recycle-bin.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { TextLink } from '../../kit/ui/link.tsx';
import { announce } from '../../kit/ui/live-region.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { DiscardedDrafts } from './discarded-drafts.tsx';
import styles from './recycle-bin.module.css';
import { recycleBinTexts } from './recycle-bin-texts.ts';
import { RecycledList } from './recycled-list.tsx';

type Outcome = { restored: RecycledItem } | { fault: string };

export function RecycleBin() {
  const texts = useTexts(recycleBinTexts);
  const { project, can } = useWorld();
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<RecycledItem | 'all' | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const bin = useRecycled(project, text.trim() !== '');
  const items = named(bin.items, text);
  const faultOf = (error: unknown) => detailOf(error) ?? texts.unreachable;

  async function restore(item: RecycledItem) {
    setOutcome(null);
    try {
      await restoreRecycled(project, item);
      setOutcome({ restored: item });
      announce(texts.restored(item.name));
    } catch (error) {
      setOutcome({ fault: faultOf(error) });
    }
  }

  const { total } = bin;
  const mayEmpty = can('empty_recycle_bin') && total !== undefined && total > 0;
  return (
    <Page
      title={texts.title}
      why={texts.why}
      actions={mayEmpty && <Button onPress={() => setAsked('all')}>{texts.empty}</Button>}
    >
      {bin.error && <Notice tone="error">{texts.failed}</Notice>}
      {outcome && <OutcomeNotice outcome={outcome} onClose={() => setOutcome(null)} />}
      {total === undefined && !bin.error && <Skeleton lines={6} height="2.5rem" />}
      {total === 0 && <EmptyState title={texts.nothingTitle}>{texts.nothing}</EmptyState>}
      {total !== undefined && total > 0 && (
        <>
          <div className={styles.search}>
            <TextField
              label={texts.search}
              isLabelHidden
              placeholder={texts.search}
              type="search"
              value={text}
              onChange={setText}
            />
          </div>
          <NoHits
            isShown={items.length === 0 && bin.isComplete}
            text={text.trim()}
            onClear={() => setText('')}
          />
          {items.length > 0 && <p className={styles.count}>{texts.count(items.length, total)}</p>}
          <RecycledList items={items} onRestore={restore} onPurge={setAsked} />
          {!bin.isComplete && <Button onPress={bin.readMore}>{texts.more}</Button>}
        </>
      )}
      <DiscardedDrafts />
      {asked && (
        <ConfirmDialog
          title={asked === 'all' ? texts.emptyTitle(total ?? 0) : texts.purgeTitle(asked.name)}
          action={asked === 'all' ? texts.empty : texts.purge}
          cancelLabel={texts.cancel}
          faultOf={faultOf}
          onClose={() => setAsked(null)}
          onConfirm={() => (asked === 'all' ? emptyBin(project) : purgeRecycled(project, asked))}
        >
          {asked === 'all' ? texts.emptyWhy : texts.purgeWhy}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function OutcomeNotice({ outcome, onClose }: { outcome: Outcome; onClose: () => void }) {
  const texts = useTexts(recycleBinTexts);
  const { project } = useWorld();
  const close = { label: texts.dismiss, onPress: onClose };
  if ('fault' in outcome) {
    return (
      <Notice tone="error" close={close}>
        {outcome.fault}
      </Notice>
    );
  }
  const { entity_type: type, entity_id: id, name } = outcome.restored;
  return (
    <Notice tone="success" close={close}>
      {texts.restored(name)}{' '}
      <TextLink href={addressOf({ screen: 'entity', project, type, id })}>{texts.open}</TextLink>
    </Notice>
  );
}

function NoHits({ isShown, text, onClear }: { isShown: boolean; text: string; onClear: () => void }) {
  const texts = useTexts(recycleBinTexts);
  if (!isShown) return null;
  return <EmptyState title={texts.noHits(text)} actions={<Button onPress={onClear}>{texts.clear}</Button>} />;
}

function named(items: readonly RecycledItem[], text: string): readonly RecycledItem[] {
  const wanted = folded(text.trim());
  return wanted === '' ? items : items.filter(({ name }) => folded(name).includes(wanted));
}

const folded = (text: string): string => searchableText(text).toLowerCase();
