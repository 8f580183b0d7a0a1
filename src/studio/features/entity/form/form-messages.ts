import type { CalendarTexts } from '../../../domain/calendar-text.ts';
import type { FieldProblem } from '../../../domain/field-check.ts';

export interface FormMessages {
  moreFields: (count: number) => string;
  fewerFields: string;
  moreEntries: (count: number) => string;
  kept: string;
  keptHelp: string;
  production: string;
  productionNames: Readonly<Record<string, string>>;
  unknownWidget: (widget: string) => string;
  problem: (problem: FieldProblem) => string;
  line: (line: number) => string;
  here: (names: string) => string;
  theirs: (who: string) => string;
  takeTheirs: string;
  keepMine: string;
  nothing: string;
  notSet: string;
  choose: string;
  more: string;
  less: string;
  entry: (label: string, number: number) => string;
  actionsOf: (label: string) => string;
  moveUp: string;
  moveDown: string;
  remove: string;
  addEntry: string;
  pickColor: string;
  addColor: string;
  sum: (percent: number) => string;
  otherShape: string;
  replace: string;
  openLink: string;
  findEntity: (types: string) => string;
  anything: string;
  noEntity: string;
  make: (name: string, type: string) => string;
  makeIt: string;
  made: (name: string) => string;
  missing: (id: string) => string;
  didYouMean: string;
  takeInstead: (name: string) => string;
  atMost: (count: number) => string;
  references: (label: string) => string;
  open: (name: string) => string;
  relationship: (name: string) => string;
  choosePicture: string;
  replacePicture: string;
  dropPicture: string;
  uploading: string;
  uploadFailed: string;
  noPicture: string;
  pathOfPicture: string;
  dates: CalendarTexts;
}

const number = (value: number, locale: string): string => value.toLocaleString(locale);

const en: FormMessages = {
  moreFields: (count) => (count === 1 ? '1 more field' : `${number(count, 'en')} more fields`),
  fewerFields: 'Fewer fields',
  moreEntries: (count) => `${number(count, 'en')} more`,
  kept: 'Kept from before',
  keptHelp: 'The template no longer has these. They stay in the file.',
  production: 'Production',
  productionNames: {
    general: 'General',
    game_platform: 'Game',
    tv_showrunner: 'Series',
    notes: 'Notes',
    concept: 'Concept',
    in_progress: 'In progress',
    needs_work: 'Needs work',
    narrative_done: 'Narrative done',
    art_done: 'Art done',
    complete: 'Complete',
    none: 'None',
    planned: 'Planned',
    review: 'Review',
    published: 'Published',
    live: 'Live',
    episode: 'Episode',
    current: 'Current',
    archived: 'Archived',
  },
  unknownWidget: (widget) =>
    `The template asks for “${widget}”, which cannot be shown here. This field edits the same value.`,
  problem: (problem) => {
    switch (problem.kind) {
      case 'required':
        return 'This has to be filled in.';
      case 'no-number':
        return 'This is not a number.';
      case 'no-integer':
        return 'This has to be a whole number.';
      case 'too-small':
        return `This has to be at least ${number(problem.limit, 'en')}.`;
      case 'too-large':
        return `This has to be at most ${number(problem.limit, 'en')}.`;
      case 'too-many':
        return `These are more than ${number(problem.limit, 'en')}.`;
      case 'no-option':
        return 'This is not one of the options.';
    }
  },
  line: (line) => `Line ${line}`,
  here: (names) => `${names} is here`,
  theirs: (who) => `${who} wrote:`,
  takeTheirs: 'Take theirs',
  keepMine: 'Keep mine',
  nothing: 'Nothing',
  notSet: 'Not set',
  choose: 'Choose …',
  more: 'More',
  less: 'Less',
  entry: (label, place) => `${label} ${place}`,
  actionsOf: (label) => `Actions for ${label}`,
  moveUp: 'Move up',
  moveDown: 'Move down',
  remove: 'Remove',
  addEntry: 'Add an entry',
  pickColor: 'Pick a colour',
  addColor: 'Add a colour',
  sum: (percent) => `${number(percent, 'en')} % in all`,
  otherShape: 'The file has a value of another kind here. It stays as it is unless you replace it.',
  replace: 'Replace it',
  openLink: 'Open the link',
  findEntity: (types) => `Find ${types}`,
  anything: 'anything',
  noEntity: 'Nothing has this name',
  make: (name, type) => `Make “${name}” (${type})`,
  makeIt: 'Make it',
  made: (name) => `${name} was made`,
  missing: (id) => `${id} does not exist`,
  didYouMean: 'Did you mean',
  takeInstead: (name) => `Use ${name} instead`,
  atMost: (count) => `At most ${number(count, 'en')}`,
  references: (label) => `${label}: chosen`,
  open: (name) => `Open ${name}`,
  relationship: (name) => `Relationship with ${name}`,
  choosePicture: 'Choose a picture',
  replacePicture: 'Choose another',
  dropPicture: 'or drop one here',
  uploading: 'Uploading …',
  uploadFailed: 'The picture could not be uploaded. Try again.',
  noPicture: 'There is no picture at this path.',
  pathOfPicture: 'Path of the picture',
  dates: {
    day: (date, day, calendar) => `${date}, day ${number(day, 'en')} of ${calendar}`,
    range: (first, last) => `${first} to ${last}`,
    since: (first) => `From ${first} on`,
    until: (last) => `Until ${last}`,
    unreadable: (reason) => `Not understood as a date: ${reason}`,
  },
};

const de: FormMessages = {
  moreFields: (count) => (count === 1 ? '1 weiteres Feld' : `${number(count, 'de')} weitere Felder`),
  fewerFields: 'Weniger Felder',
  moreEntries: (count) => `${number(count, 'de')} weitere`,
  kept: 'Von früher behalten',
  keptHelp: 'Die Vorlage kennt sie nicht mehr. In der Datei bleiben sie stehen.',
  production: 'Produktion',
  productionNames: {
    general: 'Allgemein',
    game_platform: 'Spiel',
    tv_showrunner: 'Serie',
    notes: 'Notizen',
    concept: 'Konzept',
    in_progress: 'In Arbeit',
    needs_work: 'Nacharbeit nötig',
    narrative_done: 'Erzählung fertig',
    art_done: 'Bilder fertig',
    complete: 'Fertig',
    none: 'Nichts',
    planned: 'Geplant',
    review: 'In Prüfung',
    published: 'Veröffentlicht',
    live: 'Live',
    episode: 'Folge',
    current: 'Aktuell',
    archived: 'Archiviert',
  },
  unknownWidget: (widget) =>
    `Die Vorlage verlangt „${widget}“, das hier nicht gezeigt werden kann. Dieses Feld ändert denselben Wert.`,
  problem: (problem) => {
    switch (problem.kind) {
      case 'required':
        return 'Hier muss etwas stehen.';
      case 'no-number':
        return 'Das ist keine Zahl.';
      case 'no-integer':
        return 'Das muss eine ganze Zahl sein.';
      case 'too-small':
        return `Das muss mindestens ${number(problem.limit, 'de')} sein.`;
      case 'too-large':
        return `Das darf höchstens ${number(problem.limit, 'de')} sein.`;
      case 'too-many':
        return `Das sind mehr als ${number(problem.limit, 'de')}.`;
      case 'no-option':
        return 'Das ist keine der Möglichkeiten.';
    }
  },
  line: (line) => `Zeile ${line}`,
  here: (names) => `${names} ist hier`,
  theirs: (who) => `${who} schrieb:`,
  takeTheirs: 'Übernehmen',
  keepMine: 'Meins behalten',
  nothing: 'Nichts',
  notSet: 'Nicht gesetzt',
  choose: 'Auswählen …',
  more: 'Mehr',
  less: 'Weniger',
  entry: (label, place) => `${label} ${place}`,
  actionsOf: (label) => `Aktionen für ${label}`,
  moveUp: 'Nach oben',
  moveDown: 'Nach unten',
  remove: 'Entfernen',
  addEntry: 'Eintrag hinzufügen',
  pickColor: 'Farbe wählen',
  addColor: 'Farbe hinzufügen',
  sum: (percent) => `zusammen ${number(percent, 'de')} %`,
  otherShape: 'In der Datei steht hier ein Wert anderer Art. Er bleibt, wie er ist, bis Sie ihn ersetzen.',
  replace: 'Ersetzen',
  openLink: 'Link öffnen',
  findEntity: (types) => `${types} suchen`,
  anything: 'Irgendetwas',
  noEntity: 'Nichts heißt so',
  make: (name, type) => `„${name}“ anlegen (${type})`,
  makeIt: 'Anlegen',
  made: (name) => `${name} wurde angelegt`,
  missing: (id) => `${id} gibt es nicht`,
  didYouMean: 'Gemeint ist vielleicht',
  takeInstead: (name) => `Stattdessen ${name} nehmen`,
  atMost: (count) => `Höchstens ${number(count, 'de')}`,
  references: (label) => `${label}: gewählt`,
  open: (name) => `${name} öffnen`,
  relationship: (name) => `Beziehung zu ${name}`,
  choosePicture: 'Bild wählen',
  replacePicture: 'Anderes wählen',
  dropPicture: 'oder hierher ziehen',
  uploading: 'Wird hochgeladen …',
  uploadFailed: 'Das Bild konnte nicht hochgeladen werden. Versuchen Sie es noch einmal.',
  noPicture: 'Unter diesem Pfad liegt kein Bild.',
  pathOfPicture: 'Pfad des Bildes',
  dates: {
    day: (date, day, calendar) => `${date}, Tag ${number(day, 'de')} (${calendar})`,
    range: (first, last) => `${first} bis ${last}`,
    since: (first) => `Ab ${first}`,
    until: (last) => `Bis ${last}`,
    unreadable: (reason) => `Nicht als Datum verstanden: ${reason}`,
  },
};

export const FORM_MESSAGES = { en, de } satisfies Record<string, FormMessages>;
