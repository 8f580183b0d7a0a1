import type { FieldItem, Layout } from '../../../content/layout/index.ts';
import { changedItem, isField, movedItem, withHidden, withoutItem } from '../../domain/layout-edit.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { announce } from '../../kit/ui/live-region.tsx';
import { RadioGroup } from '../../kit/ui/radio-group.tsx';
import { Select } from '../../kit/ui/select.tsx';
import { controlOf, type EditingItem, itemMark, sectionMark } from './editing.ts';
import styles from './layout.module.css';
import { layoutTexts } from './layout-texts.ts';
import { useFittingWidgets } from './use-widget-names.ts';

const WIDTHS = ['full', 'half', 'third'] as const;

/** All of an item but its place within the section. */
export function ItemSettings(props: EditingItem) {
  const { item, place, layout, names, change } = props;
  const texts = useTexts(layoutTexts);
  const name = names.nameOf(item);
  const { label = '' } = layout.sections[place.section] ?? {};
  const remove = (next: Layout, said: string) => {
    announce(said);
    change(next, controlOf(sectionMark(place.section), 'add'));
  };
  const moveTo = (id: string) => {
    const section = Number(id);
    const to = { section, item: layout.sections[section]?.items.length ?? 0 };
    if (section !== place.section) change(movedItem(layout, place, to), controlOf(itemMark(to), 'arrange'));
  };
  return (
    <div className={styles.settings}>
      {isField(item) && <FieldSettings {...props} item={item} />}
      {layout.sections.length > 1 && (
        <Select
          label={texts.moveTo}
          placeholder={texts.choose}
          options={layout.sections.map(({ label }, at) => ({ id: String(at), label }))}
          value={String(place.section)}
          onChange={moveTo}
        />
      )}
      <div className={styles.buttons}>
        {isField(item) && (
          <Button onPress={() => remove(withHidden(layout, item.field), texts.isHidden(name))}>
            {texts.hide}
          </Button>
        )}
        <Button onPress={() => remove(withoutItem(layout, place), texts.isTakenOut(name, label))}>
          {texts.takeOut}
        </Button>
      </div>
    </div>
  );
}

/** Selects have no empty key. */
const BY_TEMPLATE = '*';

function FieldSettings({ item, place, layout, names, change }: EditingItem & { item: FieldItem }) {
  const texts = useTexts(layoutTexts);
  const { field, width = 'full', widget } = item;
  const widgets = useFittingWidgets(names.fields.get(field), widget);
  return (
    <>
      <RadioGroup
        label={texts.width}
        look="segmented"
        options={WIDTHS.map((id) => ({ id, label: texts.widths[id] }))}
        value={width}
        onChange={(id) => change(changedItem(layout, place, { width: WIDTHS.find((one) => one === id) }))}
      />
      <Select
        label={texts.widget}
        placeholder={texts.byTemplate}
        options={[{ id: BY_TEMPLATE, label: texts.byTemplate }, ...widgets]}
        value={widget ?? BY_TEMPLATE}
        onChange={(id) => change(changedItem(layout, place, { widget: id === BY_TEMPLATE ? undefined : id }))}
      />
    </>
  );
}
