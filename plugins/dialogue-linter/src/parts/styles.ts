export const STYLES = {
  english: ['“', '”'],
  single: ['‘', '’'],
  straight: ['"', '"'],
  german: ['„', '“'],
  guillemets: ['»', '«'],
  french: ['«', '»'],
} as const;

export type Style = keyof typeof STYLES;

export const openerOf = (style: Style): string => STYLES[style][0];
export const closerOf = (style: Style): string => STYLES[style][1];
export const shownStyle = (style: Style): string => STYLES[style].join('…');

/** `single` is looked for only where it is the chosen style: everywhere else these marks are apostrophes. */
export const stylesFor = (chosen: Style | 'auto'): Style[] =>
  (Object.keys(STYLES) as Style[]).filter((style) => style !== 'single' || chosen === 'single');
