import { chooseAppearance, TEXT_SIZES, THEMES, useAppearance } from '../../data/appearance.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../../kit/i18n/language.ts';
import { useTexts } from '../../kit/i18n/texts.ts';

import { RadioGroup } from '../../kit/ui/radio-group.tsx';
import { Switch } from '../../kit/ui/switch.tsx';
import { MePage } from './me-page.tsx';
import { meTexts } from './me-texts.ts';

/** Each choice shows at once, and goes with the account. */
export function MyAppearance() {
  const texts = useTexts(meTexts);
  const { theme, language, text_size, letter_keys } = useAppearance();
  return (
    <MePage title={texts.appearance}>
      <RadioGroup
        label={texts.theme}
        look="segmented"
        value={theme}
        onChange={(id) => chooseAppearance({ theme: THEMES.find((one) => one === id) ?? theme })}
        options={THEMES.map((id) => ({ id, label: texts.themes[id] }))}
      />
      <RadioGroup
        label={texts.language}
        look="segmented"
        value={language}
        onChange={(id) => chooseAppearance({ language: LANGUAGES.find((one) => one === id) ?? language })}
        options={LANGUAGES.map((id) => ({ id, label: LANGUAGE_NAMES[id] }))}
      />
      <RadioGroup
        label={texts.textSize}
        look="segmented"
        value={String(text_size)}
        onChange={(size) => chooseAppearance({ text_size: Number(size) })}
        options={TEXT_SIZES.map((size) => ({ id: String(size), label: `${size} %` }))}
      />
      <Switch
        label={texts.letterKeys}
        help={texts.letterKeysHelp}
        isOn={letter_keys}
        onChange={(next) => chooseAppearance({ letter_keys: next })}
      />
    </MePage>
  );
}
