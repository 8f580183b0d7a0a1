import { type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import { ButtonContext } from 'react-aria-components';
import { late } from './late.tsx';
import type { MenuFocus, MenuListProps } from './menu-list.tsx';

export interface MenuProps extends Pick<MenuListProps, 'label' | 'items'> {
  /** A button of this kit. */
  trigger: ReactNode;
}

const MenuList = late(async () => (await import('./menu-list.tsx')).MenuList, { isAbove: true });

/** A button with a list of actions, which is loaded when it is first asked for. */
export function Menu({ label, trigger, items }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [focus, setFocus] = useState<MenuFocus | null>(null);
  const [isUsed, setUsed] = useState(false);
  const isOpen = focus !== null;
  const opening = useMemo(() => {
    const open = (to: MenuFocus) => {
      setUsed(true);
      setFocus(to);
    };
    return {
      ref: button,
      isPressed: isOpen,
      'aria-haspopup': 'menu' as const,
      'aria-expanded': isOpen,
      onPress: ({ pointerType }: { pointerType: string }) =>
        open(pointerType === 'keyboard' || pointerType === 'virtual' ? 'first' : true),
      onKeyDown(event: { key: string; preventDefault(): void; continuePropagation(): void }) {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return event.continuePropagation();
        event.preventDefault();
        open(event.key === 'ArrowDown' ? 'first' : 'last');
      },
    };
  }, [isOpen]);
  return (
    <>
      <ButtonContext.Provider value={opening}>{trigger}</ButtonContext.Provider>
      {isUsed && (
        <Suspense>
          <MenuList
            label={label}
            items={items}
            button={button}
            focus={focus}
            isWanted={isOpen}
            onClose={() => setFocus(null)}
          />
        </Suspense>
      )}
    </>
  );
}
