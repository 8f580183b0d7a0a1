import { useId } from 'react';
import {
  changedSection,
  isField,
  type LayoutItem,
  movedSection,
  withItem,
  withoutSection,
} from '../../domain/layout-edit.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button, IconButton } from '../../kit/ui/button.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import { announce } from '../../kit/ui/live-region.tsx';
import { Menu } from '../../kit/ui/menu.tsx';
import { Switch } from '../../kit/ui/switch.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { addable } from './addable.ts';
import { controlOf, type Editing, NEW_SECTION, sectionMark } from './editing.ts';
import { ItemRow } from './item-row.tsx';
import styles from './layout.module.css';
import { layoutTexts } from './layout-texts.ts';
import { MoveButtons } from './move-buttons.tsx';

interface SectionEditorProps extends Editing {
  at: number;
}

export function SectionEditor({ at, ...editing }: SectionEditorProps) {
  const texts = useTexts(layoutTexts);
  const heading = useId();
  const { layout, mayEdit } = editing;
  const section = layout.sections[at];
  if (!section) return null;
  const { label, items, collapsed = false } = section;
  return (
    <section className={styles.section} aria-labelledby={heading} data-part={sectionMark(at)}>
      <h2 id={heading} className={mayEdit ? styles.unseen : styles.heading} dir="auto">
        {label}
      </h2>
      {mayEdit && <SectionControls at={at} {...editing} />}
      {!mayEdit && collapsed && <p className={styles.quiet}>{texts.folded}</p>}
      {items.length === 0 && <p className={styles.quiet}>{texts.empty}</p>}
      <ul className={styles.items}>
        {items.map((item, index) => {
          const place = { section: at, item: index };
          return <ItemRow key={keyOf(items, index)} item={item} place={place} {...editing} />;
        })}
      </ul>
      {mayEdit && <AddMenu at={at} {...editing} />}
    </section>
  );
}

/** A field stands in one place, a block perhaps in several. */
function keyOf(items: readonly LayoutItem[], at: number): string {
  const [item] = items.slice(at);
  if (!item || isField(item)) return `field ${item?.field}`;
  const before = items.slice(0, at).filter((other) => !isField(other) && other.block === item.block);
  return `${item.block} ${before.length}`;
}

function SectionControls({ at, layout, change }: SectionEditorProps) {
  const texts = useTexts(layoutTexts);
  const { label = '', collapsed = false } = layout.sections[at] ?? {};
  const count = layout.sections.length;
  const move = (by: 1 | -1) => {
    announce(texts.sectionMoved(label, at + by + 1, count));
    const part = sectionMark(at + by);
    const does = by > 0 ? (['down', 'up'] as const) : (['up', 'down'] as const);
    change(movedSection(layout, at, by), ...does.map((what) => controlOf(part, what)));
  };
  const remove = () => {
    announce(texts.sectionRemoved(label));
    const before = sectionMark(Math.max(at - 1, 0));
    change(withoutSection(layout, at), controlOf(before, 'add'), `[data-part="${NEW_SECTION}"]`);
  };
  return (
    <div className={styles.controls}>
      <div className={styles.name} data-does="name">
        <TextField
          label={texts.sectionName}
          value={label}
          maxLength={200}
          error={label.trim() === '' ? texts.nameMissing : undefined}
          onChange={(next) => change(changedSection(layout, at, { label: next }))}
        />
      </div>
      <Switch
        label={texts.folded}
        isOn={collapsed}
        onChange={(next) => change(changedSection(layout, at, { collapsed: next }))}
      />
      <div className={styles.tools}>
        <MoveButtons
          name={label}
          onUp={at > 0 ? () => move(-1) : null}
          onDown={at < count - 1 ? () => move(1) : null}
        />
        <IconButton
          size="s"
          label={texts.removeSection(label)}
          icon={<Icon name="close" />}
          onPress={remove}
        />
      </div>
    </div>
  );
}

function AddMenu({ at, layout, names, change }: SectionEditorProps) {
  const texts = useTexts(layoutTexts);
  const { label = '' } = layout.sections[at] ?? {};
  const groups = addable(layout, names).map(({ kind, parts }) => ({
    label: texts.groups[kind],
    items: parts.map(({ id, name, item }) => ({
      id,
      label: name,
      onSelect() {
        const next = withItem(layout, at, item);
        const count = next.sections[at]?.items.length ?? 0;
        announce(texts.moved(name, count, count, label));
        change(next);
      },
    })),
  }));
  return (
    <div data-does="add">
      <Menu
        label={texts.addTo(label)}
        trigger={
          <Button
            size="s"
            icon={<Icon name="plus" />}
            label={texts.addTo(label)}
            isDisabled={groups.length === 0}
          >
            {groups.length === 0 ? texts.nothingToAdd : texts.add}
          </Button>
        }
        items={groups}
      />
    </div>
  );
}
