import { useTexts } from '../../kit/i18n/texts.ts';
import { IconButton } from '../../kit/ui/button.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import { layoutTexts } from './layout-texts.ts';

interface MoveButtonsProps {
  name: string;
  /** Null where there is no place. */
  onUp: (() => void) | null;
  onDown: (() => void) | null;
}

export function MoveButtons({ name, onUp, onDown }: MoveButtonsProps) {
  const texts = useTexts(layoutTexts);
  return (
    <>
      <span data-does="up">
        <IconButton
          size="s"
          label={texts.up(name)}
          icon={<Icon name="chevronUp" />}
          isDisabled={onUp === null}
          onPress={() => onUp?.()}
        />
      </span>
      <span data-does="down">
        <IconButton
          size="s"
          label={texts.down(name)}
          icon={<Icon name="chevronDown" />}
          isDisabled={onDown === null}
          onPress={() => onDown?.()}
        />
      </span>
    </>
  );
}
