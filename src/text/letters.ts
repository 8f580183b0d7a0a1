/** Letters that Unicode does not decompose, but that people leave out on other keyboards. */
export const SPELLED_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** The ASCII words of a name in lower case, joined: `Ängström's Lamp` → `angstrom_s_lamp`; '' if it has none. */
export const asciiWords = (name: string, joint: '_' | '-'): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join(joint);
