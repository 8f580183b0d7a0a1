import {
  type ItemPlace,
  isField,
  type LayoutItem,
  movedItem,
  placeAfterMove,
} from '../../domain/layout-edit.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { IconButton } from '../../kit/ui/button.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import { announce } from '../../kit/ui/live-region.tsx';
import { Popover } from '../../kit/ui/popover.tsx';
import { controlOf, type EditingItem, itemMark } from './editing.ts';
import { ItemSettings } from './item-settings.tsx';
import styles from './layout.module.css';
import { layoutTexts } from './layout-texts.ts';
import { MoveButtons } from './move-buttons.tsx';
import { useWidgetNames } from './use-widget-names.ts';

/** A field or a block in its section. */
export function ItemRow(props: EditingItem) {
  const { item, place, layout, names, mayEdit, change } = props;
  const texts = useTexts(layoutTexts);
  const name = names.nameOf(item);
  const [up, down] = [placeAfterMove(layout, place, -1), placeAfterMove(layout, place, 1)];
  const move = (to: ItemPlace, what: 'up' | 'down') => {
    const next = movedItem(layout, place, to);
    const { label = '', items = [] } = next.sections[to.section] ?? {};
    announce(texts.moved(name, to.item + 1, items.length, label));
    const other = what === 'up' ? 'down' : 'up';
    change(next, controlOf(itemMark(to), what), controlOf(itemMark(to), other));
  };
  return (
    <li className={styles.item} data-part={itemMark(place)}>
      <span className={styles.what}>
        <span dir="auto">{name}</span> <Details item={item} />
      </span>
      {mayEdit && (
        <span className={styles.tools}>
          <MoveButtons
            name={name}
            onUp={up && (() => move(up, 'up'))}
            onDown={down && (() => move(down, 'down'))}
          />
          <span data-does="arrange">
            <Popover
              label={texts.arrange(name)}
              trigger={<IconButton size="s" label={texts.arrange(name)} icon={<Icon name="more" />} />}
            >
              <ItemSettings {...props} />
            </Popover>
          </span>
        </span>
      )}
    </li>
  );
}

function Details({ item }: { item: LayoutItem }) {
  const texts = useTexts(layoutTexts);
  const nameOf = useWidgetNames();
  if (!isField(item)) return null;
  const { width = 'full', widget } = item;
  const said = [
    ...(width === 'full' ? [] : [texts.widths[width]]),
    ...(widget === undefined ? [] : [nameOf(widget)]),
  ];
  return <span className={styles.quiet}>{said.join(' · ')}</span>;
}
