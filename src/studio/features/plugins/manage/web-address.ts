/** Nothing else is followed, least of all `javascript:`. */
export const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);
