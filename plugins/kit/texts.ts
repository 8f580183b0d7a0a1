export type Language = 'en' | 'de';

/** The first language that these plugins speak; English otherwise. */
export function languageOf(tags: readonly string[]): Language {
  const languages = tags.map((tag) => tag.toLowerCase().split('-')[0]);
  return languages.find((one) => one === 'en' || one === 'de') ?? 'en';
}

/** The language of the Studio, or of the browser where it does not say. */
export function speak(told: string | undefined): Language {
  const language = languageOf(told === undefined ? navigator.languages : [told]);
  document.documentElement.lang = language;
  return language;
}

/** Texts in both languages; the type checker finds a missing one. */
export const defineTexts = <T>(en: T, de: NoInfer<T>): Readonly<Record<Language, T>> => ({ en, de });

export const numbers = (language: Language, options: Intl.NumberFormatOptions = {}) => {
  const format = new Intl.NumberFormat(language, options);
  return (value: number): string => format.format(value);
};
