type Words = Readonly<Record<string, string | number>>;

const EN = {
  unclosed: '{mark} in line {line} is never closed: {near}',
  unopened: '{mark} in line {line} closes nothing: {near}',
  mismatched: 'line {line}: what begins with {opener} ends with {mark}: {near}',
  mixed: '{count} times {style} where the text has {main}, first in line {line}: {near}',
  unpunctuated: 'line {line}: no punctuation before the closing mark: {near}',
  comma_inside: 'line {line}: the comma belongs before the closing mark: {near}',
  comma_outside: 'line {line}: the comma belongs behind the closing mark: {near}',
  no_comma: 'line {line}: no comma behind the closing mark: {near}',
  never_says: '{name} never says “{word}”, but does in line {line} ({count} in all): {near}',
  same_tag: '“{verb}” is the tag of {count} speeches; {most} are enough',
  bookism: '“{verb}” draws attention to itself ({count} times, first in line {line})',
  spaces: '{count} double spaces, the first in line {line}: {near}',
  more: 'and {count} more findings about this',
  too_long: 'dialogue was checked in the first {most} letters alone',
};

const DE: typeof EN = {
  unclosed: '{mark} in Zeile {line} wird nie geschlossen: {near}',
  unopened: '{mark} in Zeile {line} schließt nichts: {near}',
  mismatched: 'Zeile {line}: Was mit {opener} beginnt, endet mit {mark}: {near}',
  mixed: '{count}-mal {style}, wo der Text {main} hat, zuerst in Zeile {line}: {near}',
  unpunctuated: 'Zeile {line}: vor dem schließenden Zeichen fehlt ein Satzzeichen: {near}',
  comma_inside: 'Zeile {line}: Das Komma gehört vor das schließende Zeichen: {near}',
  comma_outside: 'Zeile {line}: Das Komma gehört hinter das schließende Zeichen: {near}',
  no_comma: 'Zeile {line}: Hinter dem schließenden Zeichen fehlt das Komma: {near}',
  never_says: '{name} sagt niemals „{word}“, in Zeile {line} aber doch (insgesamt {count}): {near}',
  same_tag: '„{verb}“ begleitet {count} Reden; {most} sind genug',
  bookism: '„{verb}“ drängt sich vor ({count}-mal, zuerst in Zeile {line})',
  spaces: '{count} doppelte Leerzeichen, das erste in Zeile {line}: {near}',
  more: 'und {count} weitere Funde dazu',
  too_long: 'Dialoge wurden nur in den ersten {most} Zeichen geprüft',
};

export type MessageName = keyof typeof EN;

export const message = (language: 'en' | 'de', name: MessageName, words: Words): string =>
  (language === 'de' ? DE : EN)[name].replace(/\{(\w+)\}/g, (_, key: string) => String(words[key] ?? ''));
