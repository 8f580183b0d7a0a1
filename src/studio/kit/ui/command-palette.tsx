import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { ColorMark } from './color-mark.tsx';
import styles from './command-palette.module.css';
import { FoundText } from './found-text.tsx';
import items from './list-items.module.css';
import { returningFocus } from './returning-focus.ts';

export interface PaletteItem {
  id: string;
  label: string;
  /** The kind of the item, or the keys that do the same. */
  detail?: string | undefined;
  /** Null: a type without a colour. */
  color?: string | null | undefined;
  /** Another name, where the typed text fits that one. */
  alias?: string | null;
  /** The places of the typed text in the alias if there is one, else in the label: `[start, end]`. */
  ranges?: readonly (readonly [number, number])[] | undefined;
  run: () => void;
}

export interface PaletteSection {
  label: string;
  items: readonly PaletteItem[];
}

export interface CommandPaletteProps {
  label: string;
  placeholder: string;
  isOpen: boolean;
  onClose: () => void;
  text: string;
  onType: (text: string) => void;
  sections: readonly PaletteSection[];
  /** Shown when nothing is found. */
  empty: ReactNode;
}

const isUnmarked = (input: Element) => !input.hasAttribute('aria-activedescendant');

/** One input above what it finds; the arrow keys choose while the cursor stays in the input. */
export function CommandPalette({
  label,
  placeholder,
  isOpen,
  onClose,
  text,
  onType,
  sections,
  empty,
}: CommandPaletteProps) {
  const chosen = useRef<PaletteItem>(null);
  // Commands are about what had the focus before, so they run when it is back there.
  const runWhenGone = useRef((overlay: HTMLElement | null) => {
    const giveBack = returningFocus(overlay);
    return () => {
      giveBack();
      queueMicrotask(() => {
        chosen.current?.run();
        chosen.current = null;
      });
    };
  });
  const all = new Map(sections.flatMap((section) => section.items.map((item) => [item.id, item])));
  const run = (id: unknown) => {
    const item = all.get(String(id));
    if (item === undefined) return;
    chosen.current = item;
    onClose();
  };
  const takeKey = (event: KeyboardEvent) => {
    // The first Escape would only empty the input.
    if (event.key === 'Escape') onClose();
    // The menu marks nothing for a text that was there before it.
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing && isUnmarked(event.currentTarget))
      run(sections[0]?.items[0]?.id);
    else return;
    event.stopPropagation();
  };
  return (
    <ModalOverlay
      ref={runWhenGone.current}
      className={styles.overlay ?? ''}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog aria-label={label} className={styles.dialog ?? ''}>
          <Autocomplete inputValue={text} onInputChange={onType}>
            <SearchField aria-label={label} autoFocus className={styles.search ?? ''}>
              <Input
                placeholder={placeholder}
                className={styles.input ?? ''}
                dir="auto"
                onKeyDownCapture={takeKey}
              />
            </SearchField>
            <Menu
              aria-label={label}
              className={styles.list ?? ''}
              onAction={run}
              renderEmptyState={() => <p className={styles.empty}>{empty}</p>}
            >
              {sections.map((section) => (
                <MenuSection key={section.label}>
                  <Header className={items.heading}>{section.label}</Header>
                  {section.items.map((item) => (
                    <MenuItem key={item.id} id={item.id} textValue={item.label} className={items.item ?? ''}>
                      {item.color !== undefined && <ColorMark color={item.color} />}
                      <span className={items.text} dir="auto">
                        <ItemText {...item} />
                      </span>
                      {item.detail && <span className={items.detail}>{item.detail}</span>}
                    </MenuItem>
                  ))}
                </MenuSection>
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function ItemText({ label, alias, ranges = [] }: PaletteItem) {
  if (!alias) return <FoundText text={label} ranges={ranges} />;
  return (
    <>
      {label}{' '}
      <span className={items.detail} dir="auto">
        <FoundText text={alias} ranges={ranges} />
      </span>
    </>
  );
}
