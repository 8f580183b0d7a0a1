import { plural, shownNumber } from '../../kit/i18n/format.ts';
import { defineTexts } from '../../kit/i18n/texts.ts';

const notes = (count: number) => `${shownNumber(count)} ${plural(count, { one: 'note', other: 'notes' })}`;
const notizen = (count: number) =>
  `${shownNumber(count)} ${plural(count, { one: 'Notiz', other: 'Notizen' })}`;

export const importTexts = defineTexts(
  {
    title: 'Import',
    why: 'Notes from Obsidian or elsewhere, tables, and the pictures that they show. You see first what each becomes; nothing is written until you say so.',
    drop: 'Drop a folder or a zip here',
    limits: 'Up to 128 MB and 20,000 files. Hidden files are left out.',
    chooseFolder: 'Choose a folder',
    chooseZip: 'Choose a zip or files',
    reading: 'Reading …',
    previewing: 'Looking at each note …',
    faults: {
      nothing: 'There is nothing to import in it.',
      'too-large': 'It is larger than 128 MB. Bring a part of it, such as the notes without their pictures.',
      'too-many': 'It has more than 20,000 files. Bring a part of it.',
      unreadable: 'The browser could not read it. Choose it anew.',
    },
    picked: (name: string, files: number | null) =>
      files === null
        ? name
        : `${name}: ${shownNumber(files)} ${plural(files, { one: 'file', other: 'files' })}`,
    other: 'Choose something else',
    defaultType: 'Notes that do not say their type become',
    noDefault: 'nothing: leave them out',
    mode: 'Entries that are there already',
    modes: { skip: 'Leave as they are', merge: 'Add what they lack', replace: 'Replace' },
    actions: {
      create: 'New',
      merge: 'Added to',
      replace: 'Replaced',
      skip: 'Left as it is',
      refuse: 'Not taken',
    },
    totals: {
      create: (count: number) => `${shownNumber(count)} new`,
      merge: (count: number) => `${shownNumber(count)} added to what is here`,
      replace: (count: number) => `${shownNumber(count)} in place of what is here`,
      skip: (count: number) => `${shownNumber(count)} here already`,
      refuse: (count: number) => `${shownNumber(count)} not taken`,
    },
    lossesOnly: 'Only those with something left over',
    run: (count: number) => `Import ${notes(count)}`,
    nothingToDo: 'None of it would become an entry. Choose a type above, or something else.',
    running: 'Importing',
    progress: (done: number, total: number) => `${shownNumber(done)} of ${shownNumber(total)}`,
    done: (count: number) => `Imported ${notes(count)}.`,
    failed: (reason: string) => `The import failed and changed nothing: ${reason}`,
    undo: 'Undo the import',
    undone: 'The import was taken back. What it made is in the recycle bin.',
    undonePartly: (count: number) =>
      `The import was taken back, but not in files that were changed since (${shownNumber(count)}).`,
    keptAside: (from: string, to: string, reason: string) =>
      from === to ? `${from} is kept as it is: ${reason}` : `${from} is kept as ${to}: ${reason}`,
    maybe: (to: string) => `It may be ${to}.`,
    mapped: (from: string, to: string) => `${from} becomes ${to}`,
    refused: (what: string, reason: string) => `${what} finds no place: ${reason}`,
    unresolved: (text: string, reason: string) => `${text}: ${reason}`,
    outside: 'Not notes, or in no place',
    more: 'Show more',
    nothingLeft: 'Nothing is left over.',
    forReaders: 'Only editors can import.',
    unreachable: 'Canonry does not answer. Try again in a moment.',
  },
  {
    title: 'Importieren',
    why: 'Notizen aus Obsidian oder anderswo, Tabellen und die Bilder darin. Du siehst vorher, was daraus wird; bis du es sagst, wird nichts geschrieben.',
    drop: 'Lege einen Ordner oder ein Zip hier ab',
    limits: 'Bis zu 128 MB und 20.000 Dateien. Versteckte Dateien bleiben draußen.',
    chooseFolder: 'Ordner wählen',
    chooseZip: 'Zip oder Dateien wählen',
    reading: 'Wird gelesen …',
    previewing: 'Jede Notiz wird angesehen …',
    faults: {
      nothing: 'Darin ist nichts zu importieren.',
      'too-large': 'Das sind mehr als 128 MB. Bring einen Teil davon, etwa die Notizen ohne ihre Bilder.',
      'too-many': 'Das sind mehr als 20.000 Dateien. Bring einen Teil davon.',
      unreadable: 'Der Browser konnte es nicht lesen. Wähle es noch einmal.',
    },
    picked: (name, files) =>
      files === null
        ? name
        : `${name}: ${shownNumber(files)} ${plural(files, { one: 'Datei', other: 'Dateien' })}`,
    other: 'Etwas anderes wählen',
    defaultType: 'Notizen, die keinen Typ nennen, werden',
    noDefault: 'nichts: weglassen',
    mode: 'Einträge, die es schon gibt',
    modes: { skip: 'So lassen', merge: 'Ergänzen, was fehlt', replace: 'Ersetzen' },
    actions: {
      create: 'Neu',
      merge: 'Ergänzt',
      replace: 'Ersetzt',
      skip: 'Bleibt so',
      refuse: 'Nicht möglich',
    },
    totals: {
      create: (count) => `${shownNumber(count)} neu`,
      merge: (count) => `${shownNumber(count)} ergänzt`,
      replace: (count) => `${shownNumber(count)} ersetzt`,
      skip: (count) => `${shownNumber(count)} schon da`,
      refuse: (count) => `${shownNumber(count)} nicht möglich`,
    },
    lossesOnly: 'Nur die, bei denen etwas übrig bleibt',
    run: (count) => `${notizen(count)} importieren`,
    nothingToDo: 'Nichts davon würde ein Eintrag. Wähle oben einen Typ oder etwas anderes.',
    running: 'Wird importiert',
    progress: (done, total) => `${shownNumber(done)} von ${shownNumber(total)}`,
    done: (count) => `${notizen(count)} importiert.`,
    failed: (reason) => `Der Import ist gescheitert und hat nichts geändert: ${reason}`,
    undo: 'Import zurücknehmen',
    undone: 'Der Import ist zurückgenommen. Was er angelegt hat, liegt im Papierkorb.',
    undonePartly: (count) =>
      `Der Import ist zurückgenommen, nur nicht in Dateien, die seitdem geändert wurden (${shownNumber(count)}).`,
    keptAside: (from, to, reason) =>
      from === to ? `${from} bleibt, wie es ist: ${reason}` : `${from} bleibt als ${to}: ${reason}`,
    maybe: (to) => `Vielleicht ist es ${to}.`,
    mapped: (from, to) => `${from} wird ${to}`,
    refused: (what, reason) => `${what} findet keinen Platz: ${reason}`,
    unresolved: (text, reason) => `${text}: ${reason}`,
    outside: 'Keine Notizen, oder ohne Platz',
    more: 'Mehr zeigen',
    nothingLeft: 'Nichts bleibt übrig.',
    forReaders: 'Importieren kann nur, wer schreiben darf.',
    unreachable: 'Canonry antwortet nicht. Versuche es gleich noch einmal.',
  },
);
