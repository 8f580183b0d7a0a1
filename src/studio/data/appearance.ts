import { LANGUAGES, type Language, language, preferredLanguage } from '../kit/i18n/language.ts';
import { api } from './api.ts';
import { createStore, useStore } from './store.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Percent of the browser's text size. */
export const TEXT_SIZES = [90, 100, 110, 120, 130] as const;

export const ENTITY_PARTS = ['fields', 'both', 'text'] as const;
export type EntityParts = (typeof ENTITY_PARTS)[number];

export interface Appearance {
  theme: Theme;
  language: Language;
  text_size: number;
  /** Single letters run commands outside of texts. */
  letter_keys: boolean;
  /** What the page of an entity shows. */
  entity_parts: EntityParts;
}

const PREFERENCE = 'studio';

const appearance = createStore<Appearance>({
  theme: 'system',
  language: preferredLanguage(navigator.languages),
  text_size: 100,
  letter_keys: true,
  entity_parts: 'both',
});

export const useAppearance = (): Appearance => useStore(appearance);

export const appearanceNow = (): Appearance => appearance.get();

/** Shows and keeps a choice, with the account if somebody is signed in. */
export function chooseAppearance(choice: Partial<Appearance>): void {
  apply({ ...appearance.get(), ...choice });
  // The choice holds for this page in any case.
  api.updatePreferences({ body: { [PREFERENCE]: choice } }).catch(() => undefined);
}

/** Loads and shows the user's earlier choice, perhaps made on another machine. */
export async function loadAppearance(): Promise<void> {
  const kept = (await api.getPreferences().catch(() => ({})))[PREFERENCE as never] as unknown;
  apply({ ...appearance.get(), ...understood(kept) });
}

function apply(next: Appearance): void {
  appearance.set(next);
  language.set(next.language);
  const root = document.documentElement;
  root.lang = next.language;
  if (next.theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = next.theme;
  root.style.setProperty('--text-size', `${next.text_size}%`);
}

/** Other clients write preferences too: what is not one of ours is left out. */
function understood(kept: unknown): Partial<Appearance> {
  if (typeof kept !== 'object' || kept === null) return {};
  const { theme, language: chosen, text_size, letter_keys, entity_parts } = kept as Record<string, unknown>;
  return {
    ...(isOne(THEMES, theme) && { theme }),
    ...(isOne(LANGUAGES, chosen) && { language: chosen }),
    ...(isOne(TEXT_SIZES, text_size) && { text_size }),
    ...(typeof letter_keys === 'boolean' && { letter_keys }),
    ...(isOne(ENTITY_PARTS, entity_parts) && { entity_parts }),
  };
}

const isOne = <T>(all: readonly T[], value: unknown): value is T =>
  (all as readonly unknown[]).includes(value);
