import { useSyncExternalStore } from 'react';
import { type Language, language } from './language.ts';

/** The texts of one part of the app in every language. A value is a text, or a function that makes one. */
export type Texts<T> = Readonly<Record<Language, T>>;

/** Types the texts of all languages by those of English, so that a missing one is a type error. */
export const defineTexts = <T>(english: T, german: NoInfer<T>): Texts<T> => ({ en: english, de: german });

export const useLanguage = (): Language => useSyncExternalStore(language.subscribe, language.get);

export const useTexts = <T>(texts: Texts<T>): T => texts[useLanguage()];

/** For code outside of components, which asks at the moment it needs a text. */
export const textsNow = <T>(texts: Texts<T>): T => texts[language.get()];
